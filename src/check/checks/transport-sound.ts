import type { Operation } from '../../contract/model.ts';
import { downloads, streams } from '../evidence/answer/streams.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { TransportFault } from '../model/exchange.ts';
import type { Severity } from '../model/finding.ts';
import { httpRules, type UnsoundKind } from '../transport/http-rules.ts';
import type { Check, Violation } from './check.ts';

/**
 * Every answer is sound as a message: framed as RFC 9112 says, a known status, content codings that
 * can be undone, bounded.
 */
export const transportSound = {
  id: 'transport-sound',
  basis: 'protocol',
  severity: 'error',
  rule:
    'Every answer is sound HTTP/1.1: framing, header, status, ' +
    'Content-Encoding and size are what RFC 9110 and 9112 ask for, and ' +
    'nothing comes beside it.',
  reason:
    'One client reads over what another one stumbles upon, and behind a ' +
    'proxy the bytes that are too many become somebody else’s answer.',
  proof: 'repeat',
  needs: ['answers'],
  inspect(subject) {
    const found = unsound(subject);
    if (found.length === 0) return subject.exchange.response === undefined ? undefined : [];
    return found.map((each) => toViolation(subject, each));
  },
} as const satisfies Check;

const elsewhere: readonly TransportFault[] = ['protocol.not-http', 'protocol.http2'];

/** One kind of unsound answer, with the clause that says what was received. */
interface Unsound {
  readonly kind: UnsoundKind;
  readonly what: string;
  /** The body grows out of all proportion when its content codings are undone. */
  readonly isBomb?: true;
}

/** Each kind once. */
function unsound({
  exchange: { fault, breaches },
  answer,
  operation,
  knowledge,
}: CheckInput): readonly Unsound[] {
  const seen = (breaches ?? []).map(({ kind, message }) => ({ kind, what: message }));
  if (fault !== undefined && Object.hasOwn(httpRules, fault.kind)) {
    // Where nobody speaks HTTP the address is wrong, and no operation.
    if (elsewhere.includes(fault.kind) && knowledge.answers.size === 0) return seen;
    // A stream has no end, and so no size.
    if (fault.kind === 'body.too-large' && streams(operation)) return seen;
    // The rules are named by the kinds that are faults of an answer: hasOwn has shown that this is
    // one.
    return [...seen, { kind: fault.kind as UnsoundKind, what: fault.message }];
  }
  if (answer.kind === 'unreadable' && answer.content !== undefined) {
    const { content: kind, reason: what, isBomb } = answer;
    return [...seen, isBomb === undefined ? { kind, what } : { kind, what, isBomb }];
  }
  if (answer.kind !== 'json' || answer.repeats === undefined) return seen;
  return [...seen, { kind: 'body.repeated-name', what: answer.repeats }];
}

function toViolation(subject: CheckInput, { kind, what, isBomb }: Unsound): Violation {
  const { source, expected } = httpRules[kind];
  const severity = isBomb === true ? undefined : severityOf(kind, subject.operation);
  const clause = what.replace(/\.$/, '');
  const isOwnLimit = kind === 'body.too-large' && isBomb === undefined;
  const said = isOwnLimit
    ? 'was not judged, because it is larger than vouch reads'
    : 'is not sound';
  return {
    at: subject.operation.pointer,
    message: `The answer to ${requestPhrase(subject.case)} ${said}: ${clause} (${kind}, ${source}).`,
    expected,
    actual: clause,
    cause: kind,
    ...(severity === undefined ? {} : { severity, basis: 'advice' }),
  };
}

function severityOf(kind: UnsoundKind, operation: Operation): Severity | undefined {
  return kind === 'body.too-large' && downloads(operation) ? 'note' : httpRules[kind].severity;
}
