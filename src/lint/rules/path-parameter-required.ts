import { joinPointer } from '../../json/pointer.ts';
import { openApiPage, type LintRule } from './rule.ts';

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
