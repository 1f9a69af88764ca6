import { wrongErrorBody, wrongStatus } from '../../reading/shared-causes.ts';
import type { FindingFacts } from '../../model/finding-facts.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { requestPhrase } from '../../model/phrases.ts';
import { asksToWait } from '../../../http/status.ts';
import { listStatuses } from '../../reading/refusal.ts';
import { check } from '../check.ts';

/**
 * The statuses of a server, or of a gateway before it, that cannot keep up for a moment (RFC 9110,
 * sections 15.6.3 to 15.6.5).
 */
const ofOverload = new Set([502, 503, 504]);

/**
 * No request gets a 5xx that the contract does not document; 503 with `Retry-After` is a request to
 * wait, not an error.
 */
export const noServerError = check({
  id: 'no-server-error',
  basis: 'contract',
  severity: 'error',
  rule:
    'No request, however malformed, gets a 5xx that the operation does not document ' +
    '(`default` does not count).',
  reason:
    'A 5xx means that the server failed, so the client retries or gives up instead of ' +
    'correcting its request.',
  example: ['> GET /items/%zz', '< 500 Internal Server Error'],
  confirm: 'once',
  traits: ['head', 'failures'],
  explains: [
    {
      // One error handler stands before every operation: unreadable requests never reach one.
      findings: ['no-server-error'],
      leads: isUnreadable,
      explains: ({ status }, other) => isUnreadable(other) && other.status === status,
    },
    wrongErrorBody,
    wrongStatus,
  ],
  covers: [
    'status-documented',
    'content-type-documented',
    'body-parses',
    'valid-accepted',
    'missing-refused',
    'created-is-readable',
  ],
  inspect({ case: testCase, operation, sent, exchange: { response } }) {
    if (response === undefined) return undefined;
    const { status } = response;
    if (status < 500) return [];
    // The server may not implement an undeclared method (RFC 9110, section 15.6.2), or what a
    // system query option asks for (OData 4.01, Part 1, section 9.3.1).
    const isOpen =
      testCase.intent.kind === 'method' ||
      [...sent.arguments.keys()].some(({ name }) => name.startsWith('$'));
    const unimplemented = status === 501 && isOpen;
    if (documents(operation, String(status), '5XX') || unimplemented || asksToWait(response))
      return [];
    return [
      {
        at: joinPointer(operation.pointer, 'responses'),
        message: `The server answered ${String(status)} to ${requestPhrase(testCase)}.`,
        expected: `a status below 500 (documented: ${listStatuses(operation)})`,
        actual: String(status),
        cause: String(status),
        ...(ofOverload.has(status) ? { alone: 'or milder' as const } : {}),
      },
    ];
  },
});

function isUnreadable({ intent, status }: FindingFacts): boolean {
  return status !== undefined && intent['unreadable'] === true;
}
