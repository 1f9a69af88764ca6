import { requestPhrase } from '../evidence/phrases.ts';
import { downloads, streams } from '../evidence/answer/streams.ts';
import type { TransportFault } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { httpRules, type UnsoundKind } from '../transport/http-rules.ts';
import type { Check, Violation } from './check.ts';

/** Every answer is sound as a message: framed as RFC 9112 says, a known status, content codings that can be undone, bounded. */
export const transportSound = {
  id: 'transport-sound',
  basis: 'protocol',
  severity: 'error',
  rule: 'Every answer is sound HTTP/1.1: framing, header, status, Content-Encoding and size are what RFC 9110 and 9112 ask for, and nothing comes beside it.',
  reason: 'One client reads over what another one stumbles upon, and behind a proxy the bytes that are too many become somebody else’s answer.',
  proof: 'repeat',
  inspect(subject) {
    const found = unsound(subject);
    if (found.length === 0) return subject.exchange.response === undefined ? undefined : [];
    return found.map(([kind, what]) => toViolation(subject, kind, what));
  },
} as const satisfies Check;

const elsewhere: readonly TransportFault[] = ['protocol.not-http', 'protocol.http2'];

/** Each kind once, with the clause that says what was received. */
function unsound({ exchange: { fault, breaches }, answer, operation, knowledge }: Subject): readonly (readonly [UnsoundKind, string])[] {
  const seen = (breaches ?? []).map(({ kind, message }) => [kind, message] as const);
  if (fault !== undefined && Object.hasOwn(httpRules, fault.kind)) {
    // Where nobody speaks HTTP the address is wrong, and no operation.
    if (elsewhere.includes(fault.kind) && knowledge.answers.size === 0) return seen;
    // A stream has no end, and so no size.
    if (fault.kind === 'body.too-large' && streams(operation)) return seen;
    // The rules are named by the kinds that are faults of an answer: hasOwn has shown that this is one.
    return [...seen, [fault.kind as UnsoundKind, fault.message]];
  }
  if (answer.kind === 'unreadable' && answer.content !== undefined) return [...seen, [answer.content, answer.reason]];
  return answer.kind === 'json' && answer.repeats !== undefined ? [...seen, ['body.repeated-name', answer.repeats]] : seen;
}

function toViolation({ operation, case: tried }: Subject, kind: UnsoundKind, what: string): Violation {
  const { source, expected, severity: usual } = httpRules[kind];
  const severity = kind === 'body.too-large' && downloads(operation) ? 'note' : usual;
  const clause = what.replace(/\.$/, '');
  return {
    at: operation.pointer,
    message: `The answer to ${requestPhrase(tried)} is not sound: ${clause} (${kind}, ${source}).`,
    expected,
    actual: clause,
    cause: kind,
    ...(severity === undefined ? {} : { severity, basis: 'advice' }),
  };
}
