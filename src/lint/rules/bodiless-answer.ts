import { joinPointer } from '../../json/pointer.ts';
import type { LintRule } from './rule.ts';

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
