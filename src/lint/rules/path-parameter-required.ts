import { joinPointer } from '../../json/pointer.ts';
import { type LintRule, openApiPage } from './rule.ts';

export const pathParameterRequired = {
  id: 'vouch/path-parameter-required',
  severity: 'error',
  reason:
    'A path cannot be written without its parameters, so OpenAPI demands ' +
    'that each is marked as required.',
  documentation: openApiPage('parameter-object'),
  inspect: (context) =>
    context
      .nodes('parameter')
      .filter(({ value }) => value['in'] === 'path' && value['required'] !== true)
      .map(({ key, value, pointer }) => ({
        pointer: joinPointer(pointer, 'required'),
        message:
          'The path parameter ' +
          `${typeof value['name'] === 'string' ? value['name'] : key} is not ` +
          'marked as required.',
        hint: 'Write `required: true`.',
      })),
} as const satisfies LintRule;

export const pathTemplateUnique = {
  id: 'vouch/path-template-unique',
  severity: 'error',
  reason:
    'A parameter name that is in a path twice has one value only, and it is undefined which ' +
    'place gets it.',
  documentation: openApiPage('path-templating'),
  inspect: (context) =>
    context.nodes('pathItem').flatMap(({ key, pointer }) =>
      repeated([...key.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '')).map((name) => ({
        pointer,
        message: `The path ${key} names the parameter ${name} more than once.`,
        hint: 'Give each parameter of the path a unique name.',
      })),
    ),
} as const satisfies LintRule;

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
