import { joinPointer } from '../../json/pointer.ts';
import { atEach, type LintContext, type LintFault, type LintRule, openApiPage } from './rule.ts';
import { operationIds, suggestOperation } from '../lint-config.ts';
import type { DocumentNode } from '../walk-document.ts';

export const pathParameterRequired = {
  id: 'vouch/path-parameter-required',
  severity: 'error',
  reason:
    'A path cannot be written without its parameters, so OpenAPI demands ' +
    'that each is marked as required.',
  documentation: openApiPage('parameter-object'),
  inspect: atEach('parameter', ({ key, value, pointer }) => {
    if (value['in'] !== 'path' || value['required'] === true) return undefined;
    const name = typeof value['name'] === 'string' ? value['name'] : key;
    return {
      pointer: joinPointer(pointer, 'required'),
      message: `The path parameter ${name} is not marked as required.`,
      hint: 'Write `required: true`.',
    };
  }),
} as const satisfies LintRule;

export const pathTemplateUnique = {
  id: 'vouch/path-template-unique',
  severity: 'error',
  reason:
    'A parameter name that is in a path twice has one value only, and it is undefined which ' +
    'place gets it.',
  documentation: openApiPage('path-templating'),
  inspect: atEach('pathItem', ({ key, pointer }) =>
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
  inspect: atEach('operation', ({ key, value, pointer }) =>
    /^(get|head|trace)$/i.test(key) && value['requestBody'] !== undefined
      ? {
          pointer: joinPointer(pointer, 'requestBody'),
          message: `A ${key.toUpperCase()} request is documented with a body.`,
          hint: 'Send the values as query parameters, or use POST (QUERY in OpenAPI 3.2).',
        }
      : undefined,
  ),
} as const satisfies LintRule;

export const linkLeadsSomewhere = {
  id: 'vouch/link-leads-somewhere',
  severity: 'error',
  reason: 'Clients follow a link by the name of its operation.',
  documentation: openApiPage('link-object'),
  inspect: atEach('link', (node, context) =>
    unknownOperation(node, 'operationId', { context, what: `The link ${node.key}` }),
  ),
} as const satisfies LintRule;

export const replacementExists = {
  id: 'vouch/replacement-exists',
  severity: 'warning',
  reason:
    'The mock sends a link to the operation that `x-replaced-by` names, so ' +
    'that clients find the way.',
  inspect: atEach('operation', (node, context) =>
    unknownOperation(node, 'x-replaced-by', { context, what: 'x-replaced-by' }),
  ),
} as const satisfies LintRule;

/** What is wrong with a member that names an operation; `what` is the subject of the message. */
function unknownOperation(
  { value, pointer }: DocumentNode,
  member: string,
  { context, what }: { readonly context: LintContext; readonly what: string },
): LintFault | undefined {
  const id = value[member];
  if (typeof id !== 'string') return undefined;
  const ids = operationIds(context);
  if (ids.includes(id)) return undefined;
  return {
    pointer: joinPointer(pointer, member),
    message: `${what} names the operation ${id}, which the contract does not have.`,
    hint: suggestOperation(id, ids),
  };
}
