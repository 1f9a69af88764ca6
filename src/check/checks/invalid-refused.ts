import { requestPhrase } from '../evidence/phrases.ts';
import { asksToWait, isSuccess } from '../../http/status.ts';
import { listStatuses } from '../evidence/refusal.ts';
import type { Check } from './check.ts';

/** A request that breaks one rule of the contract, and is valid otherwise, is refused. */
export const invalidRefused = {
  id: 'invalid-refused',
  basis: 'contract',
  severity: 'error',
  rule:
    'A valid request with one thing made invalid (missing, of another type, ' +
    'out of bounds, not in the enum, …) gets a 4xx.',
  reason:
    'Input that the contract forbids and the server keeps comes back later ' +
    'as data that breaks every reader.',
  proof: 'control',
  intents: ['invalid'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  inspect({ case: tried, operation, exchange: { response } }) {
    const { intent } = tried;
    if (
      intent.kind !== 'invalid' ||
      intent.accepted === 'fine' ||
      response === undefined ||
      asksToWait(response)
    )
      return undefined;
    if (!isSuccess(response.status)) return [];
    const refusals = operation.responses
      .filter(({ status }) => status.startsWith('4'))
      .map(({ status }) => status);
    return [
      {
        at: intent.at,
        message: `The server accepted (${String(response.status)}) ${requestPhrase(tried)}.`,
        expected:
          `a refusal (4xx), because ${intent.rule} (documented: ` +
          `${refusals.length === 0 ? listStatuses(operation) : refusals.join(', ')})`,
        actual: String(response.status),
        severity: intent.accepted,
      },
    ];
  },
} as const satisfies Check;
