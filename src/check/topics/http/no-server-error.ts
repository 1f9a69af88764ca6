import { wordsIn } from '../../../words-in.ts';
import { isGeneralFailure } from '../../../contract/words/general-failure.ts';
import { firstWords } from '../../reading/first-words.ts';
import { wrongErrorBody, wrongStatus } from '../../reading/shared-causes.ts';
import type { FindingFacts } from '../../model/finding-facts.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { asksToWait } from '../../../http/status.ts';
import { listStatuses } from '../../reading/refusal.ts';
import { check } from '../check.ts';

/**
 * The statuses of a server, or of a gateway before it, that cannot keep up for a moment (RFC 9110,
 * sections 15.6.3 to 15.6.5).
 */
const unavailable = 503;
const ofOverload = new Set([502, unavailable, 504]);

/**
 * No request makes the service fail (5xx). 501 says that it does not do such a thing, and 503 with
 * `Retry-After` is a request to wait.
 */
export const noServerError = check({
  id: 'no-server-error',
  basis: 'contract',
  severity: 'error',
  harm: 'crash',
  rule:
    'No request, however malformed, gets a 5xx. One that the operation documents ' +
    '(`default` does not count) is a warning: it is still a crash.',
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
    {
      // The same words come from the same line of the service.
      findings: ['no-server-error'],
      leads: (facts) => wordsOf(facts) !== undefined,
      explains: (leader, other) => wordsOf(leader) === wordsOf(other),
    },
    wrongErrorBody,
    wrongStatus,
  ],
  covers: wordsIn(
    'status-documented content-type-documented body-parses valid-accepted missing-refused',
    'created-is-readable',
  ),
  inspect({ case: testCase, operation, sent, answer, exchange }) {
    const { response } = exchange;
    if (response === undefined) return undefined;
    const { status } = response;
    if (status < 500 || status === unimplemented || asksToWait(response)) return [];
    const isKnown = documents(operation, String(status), '5XX');
    // A documented 503 is no crash: a health check tells by it that something is not available.
    if (status === unavailable && documents(operation, '503')) return [];
    // Where nothing else is documented, this is what the operation is there for.
    if (isKnown && operation.responses.every((one) => one.status.startsWith('5'))) return [];
    const { shown, kind } = firstWords({ sent, answer, exchange });
    const said = shown === '' ? '' : ` (${showValue(shown)})`;
    return [
      {
        at: joinPointer(operation.pointer, 'responses'),
        message:
          `The server answered ${String(status)}${said} to ${requestPhrase(testCase)}` +
          (isKnown ? '; that is documented, and still a crash.' : '.'),
        expected: isKnown
          ? 'a status below 500'
          : `a status below 500 (documented: ${listStatuses(operation)})`,
        actual: String(status),
        // A service that fails in two ways has two defects.
        cause: kind === '' ? String(status) : `${String(status)} ${kind}`,
        ...(isKnown ? { severity: 'warning' } : {}),
        ...(ofOverload.has(status) ? { alone: 'or milder' } : {}),
      },
    ];
  },
});

/** The server does not support what the request asks for (RFC 9110, section 15.6.2). */
const unimplemented = 501;

/** What a service says of a failure, if that tells it from others. */
function wordsOf({ finding: { message } }: FindingFacts): string | undefined {
  const [from, to] = [message.indexOf('("'), message.indexOf('") to ')];
  const said = from === -1 || to < from ? '' : message.slice(from + 2, to);
  return isGeneralFailure(said) ? undefined : said;
}

function isUnreadable({ intent, status }: FindingFacts): boolean {
  return status !== undefined && intent['unreadable'] === true;
}
