import { joinPointer } from '../../json/pointer.ts';
import { type LintRule, openApiPage } from './rule.ts';
import { operationIds, suggestOperation } from '../lint-config.ts';

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

export const bodilessAnswer = {
  id: 'vouch/bodiless-answer',
  severity: 'warning',
  reason:
    'HTTP allows no body in responses with these statuses, so a documented one is never sent.',
  documentation: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-6.4.1',
  inspect: ({ contract }) =>
    contract.operations.flatMap(({ responses }) =>
      responses
        .filter(({ status, content }) => /^(1..|204|205|304)$/.test(status) && content.length > 0)
        .map(({ status, pointer }) => ({
          pointer: joinPointer(pointer, 'content'),
          message: `The response ${status} documents a body, which that status never has.`,
          hint: 'Remove the content, or document another status.',
        })),
    ),
} as const satisfies LintRule;

export const bodilessRequest = {
  id: 'vouch/bodiless-request',
  severity: 'warning',
  reason:
    'HTTP gives a body of these requests no meaning; servers, proxies and ' +
    'clients drop or refuse it.',
  documentation: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-9.3.1',
  inspect: (context) =>
    context
      .nodes('operation')
      .filter(
        ({ key, value }) => /^(get|head|trace)$/i.test(key) && value['requestBody'] !== undefined,
      )
      .map(({ key, pointer }) => ({
        pointer: joinPointer(pointer, 'requestBody'),
        message: `A ${key.toUpperCase()} request is documented with a body.`,
        hint: 'Send the values as query parameters, or use POST (QUERY in OpenAPI 3.2).',
      })),
} as const satisfies LintRule;

export const linkLeadsSomewhere = {
  id: 'vouch/link-leads-somewhere',
  severity: 'error',
  reason: 'Clients follow a link by the name of its operation.',
  documentation: openApiPage('link-object'),
  inspect: (context) => {
    const ids = operationIds(context);
    return context.nodes('link').flatMap(({ key, value, pointer }) => {
      const id = value['operationId'];
      if (typeof id !== 'string' || ids.includes(id)) return [];
      return [
        {
          pointer: joinPointer(pointer, 'operationId'),
          message: `The link ${key} names the operation ${id}, which the contract does not have.`,
          hint: suggestOperation(id, ids),
        },
      ];
    });
  },
} as const satisfies LintRule;

export const replacementExists = {
  id: 'vouch/replacement-exists',
  severity: 'warning',
  reason:
    'The mock sends a link to the operation that `x-replaced-by` names, so ' +
    'that clients find the way.',
  inspect: (context) => {
    const ids = operationIds(context);
    return context.nodes('operation').flatMap(({ value, pointer }) => {
      const id = value['x-replaced-by'];
      if (typeof id !== 'string' || ids.includes(id)) return [];
      return [
        {
          pointer: joinPointer(pointer, 'x-replaced-by'),
          message: `x-replaced-by names the operation ${id}, which the contract does not have.`,
          hint: suggestOperation(id, ids),
        },
      ];
    });
  },
} as const satisfies LintRule;
