import { planIdentities } from './identities.ts';
import { isSuccess } from '../../../http/status.ts';
import { check } from '../check.ts';
import { isErrorBody } from './credential-required.ts';
import { securityPointer } from '../../reading/security-pointer.ts';

/** A service refuses actions that an identity may not perform. */
export const identityMayNot = check({
  id: 'identity-may-not',
  basis: 'contract',
  severity: 'error',
  harm: 'data',
  rule:
    'An identity of the configuration is refused each operation that its `may` does not allow: ' +
    'with the documented 403, 401 or 404.',
  reason:
    'An account that may only read, and can write, is the hole that OWASP lists as API5:2023, ' +
    'broken function level authorization.',
  example: ['> DELETE /items/7   as reader   (may: [read])', '< 204 No Content'],
  confirm: 'again',
  plan: [{ at: 'identities', all: planIdentities }],
  intents: ['identity'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented', 'headers-match'],
  leavesOpen: ({ case: { intent } }) => intent.kind === 'identity',
  inspect({ case: { intent, title }, contract, operation, exchange: { response }, answer }) {
    if (intent.kind !== 'identity' || intent.wanted !== 'refused' || response === undefined)
      return undefined;
    const { status } = response;
    if ([401, 403, 404].includes(status)) return [];
    if (!isSuccess(status)) return undefined;
    const documented = ['403', '401', '404'].find((expected) =>
      operation.responses.some((each) => each.status === expected),
    );
    return [
      {
        at: securityPointer(contract, operation),
        message:
          `The server answered ${String(status)} to ${title}, and the configuration says that ` +
          `${intent.identity} may not send it.`,
        expected: documented ?? '403',
        actual: String(status),
        cause: `${intent.identity} ${operation.id}`,
        // The request has changed the record, so a repetition shows something else.
        momentary: true,
        ...(isErrorBody(answer) ? { severity: 'warning' as const } : {}),
      },
    ];
  },
});
