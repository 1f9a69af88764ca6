import { joinPointer } from '../../json/pointer.ts';
import type { LintRule } from './rule.ts';

export const bodilessAnswer = {
  id: 'vouch/bodiless-answer',
  severity: 'warning',
  reason:
    'HTTP lets answers of these statuses have no body, so that a documented one can never come.',
  documentation: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-6.4.1',
  inspect: ({ contract }) =>
    contract.operations.flatMap(({ responses }) =>
      responses
        .filter(({ status, content }) => /^(1..|204|205|304)$/.test(status) && content.length > 0)
        .map(({ status, pointer }) => ({
          pointer: joinPointer(pointer, 'content'),
          message:
            `The answer ${status} documents a body, which no answer of that status ` + 'can have.',
          hint: 'Take the content away, or document another status.',
        })),
    ),
} as const satisfies LintRule;
