import { documents } from '../../contract/select-response.ts';
import { joinPointer } from '../../json/pointer.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { asksToWait } from '../../http/status.ts';
import { listStatuses } from '../evidence/refusal.ts';
import type { Check } from './check.ts';

/**
 * No request of any kind gets a 5xx that the contract does not name; 503 with `Retry-After` is a
 * plea, not an error.
 */
export const noServerError = {
  id: 'no-server-error',
  basis: 'contract',
  severity: 'error',
  rule:
    'No request, however malformed, gets a 5xx that the operation does not ' +
    'document (`default` does not count).',
  reason:
    'A 5xx tells a client that the server failed, so it retries or gives up ' +
    'where it should have mended its request.',
  proof: 'once',
  covers: [
    'status-documented',
    'content-type-documented',
    'body-parses',
    'valid-accepted',
    'missing-refused',
    'created-is-readable',
  ],
  inspect({ case: tried, operation, exchange: { response } }) {
    if (response === undefined) return undefined;
    const { status } = response;
    if (status < 500) return [];
    // A method that nobody promised may well be one that the server does not implement (RFC 9110,
    // section 15.6.2).
    const unimplemented = status === 501 && tried.intent.kind === 'method';
    if (documents(operation, String(status), '5XX') || unimplemented || asksToWait(response))
      return [];
    return [
      {
        at: joinPointer(operation.pointer, 'responses'),
        message: `The server answered ${String(status)} to ${requestPhrase(tried)}.`,
        expected: `a status below 500 (documented: ${listStatuses(operation)})`,
        actual: String(status),
        cause: String(status),
      },
    ];
  },
} as const satisfies Check;
