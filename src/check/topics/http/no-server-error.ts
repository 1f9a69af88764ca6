import { wordsIn } from '../../../words-in.ts';
import { isGeneralFailure } from '../../../contract/words/general-failure.ts';
import { wrongErrorBody, wrongStatus } from '../../reading/shared-causes.ts';
import type { FindingFacts } from '../../model/finding-facts.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { requestPhrase, showValue, type Step } from '../../model/step.ts';
import { asksToWait } from '../../../http/message.ts';
import { listStatuses } from '../../reading/refusal.ts';
import { check } from '../check.ts';
import { membersOf } from '../../../json/body-members.ts';
import type { JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';

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
    return {
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
    };
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

/** What an answer says about a failure: its words to people, and what is alike in all such. */
interface FirstWords {
  /** The beginning of its text, as it stands there; empty if it says nothing. */
  readonly shown: string;
  /** The same without what may differ from one request to the next: values, numbers, quotes. */
  readonly kind: string;
}

const [mostWords, mostCharacters] = [8, 80];

/**
 * The first words of an answer: of the first sentences in its JSON, else of its text. A failure is
 * of the same kind as another one if both begin alike.
 */
function firstWords(step: Pick<Step, 'sent' | 'answer' | 'exchange'>): FirstWords {
  const value = jsonOf(step.answer);
  const texts = value === undefined ? [plainText(step)] : textsIn(value);
  // A summary alone, such as `Internal Server Error`, is the same for every failure.
  const lines = texts.map(firstLine).filter((line) => line !== '');
  const sentences = lines.filter((line) => line.includes(' '));
  const said = (sentences.length > 0 ? sentences : lines).slice(0, 2);
  const shown = said.at(-1) ?? '';
  return {
    shown: shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown,
    kind: [...new Set(said.map((line) => steadyWords(line, step.sent)))].join('; '),
  };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return membersOf(value).flatMap((member) =>
    typeof member.value === 'string' ? [member.value] : [],
  );
}

function plainText({ exchange: { response } }: Pick<Step, 'exchange'>): string {
  const text = new TextDecoder().decode(response?.body.subarray(0, 4_000));
  // A page says it in its title or in its first heading; what stands in its head is not shown.
  return text
    .replaceAll(/<(style|script)\b[^]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, '\n')
    .trim();
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}

function steadyWords(line: string, sent: Step['sent']): string {
  const values = [
    ...sent.arguments.values(),
    ...membersOf(sent.body ?? null).map(({ value }) => value),
  ]
    .flatMap((value) => (typeof value === 'string' && value.length > 2 ? [value] : []))
    .toSorted((left, right) => right.length - left.length);
  const bare = values.reduce((text, value) => text.replaceAll(value, '…'), line);
  return bare
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .split(' ')
    .slice(0, mostWords)
    .map((word) => word.replaceAll(/\S*\d\S*/g, '…'))
    .join(' ');
}
