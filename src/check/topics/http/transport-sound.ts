import type { Operation } from '../../../contract/model.ts';
import { downloads, streams } from '../../reading/read-answer.ts';
import { requestPhrase } from '../../model/step.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import type { TransportFault } from '../../model/exchange.ts';
import type { Severity } from '../../model/finding.ts';
import { httpRules, type UnsoundKind } from '../../model/http-rules.ts';
import { check } from '../check.ts';

/**
 * Every response is a valid message: framed according to RFC 9112, with a known status, content
 * codings that can be decoded, and a bounded size.
 */
export const transportSound = check({
  id: 'transport-sound',
  basis: 'protocol',
  harm: 'crash',
  rule:
    'Every response is valid HTTP/1.1: framing, header, status, Content-Encoding and size ' +
    'conform to RFC 9110 and RFC 9112, and no bytes are left over.',
  reason:
    'One client ignores what makes another one fail, and behind a proxy, surplus bytes ' +
    "become part of another user's response.",
  example: [
    '> GET /items',
    '< HTTP/1.1 200 OK',
    '< Content-Length: 20',
    '< (and 34 bytes after it)',
  ],
  confirm: 'repeat',
  traits: ['shared', 'messages'],
  needs: ['answers'],
  mutants: [async () => (await import('./transport-mutants.ts')).brokenTransport],
  inspect(subject) {
    const found = unsound(subject);
    if (found.length === 0) return subject.exchange.response === undefined ? undefined : [];
    return found.map((each) => toViolation(subject, each));
  },
});

const elsewhere: readonly TransportFault[] = ['protocol.not-http', 'protocol.http2'];

/** One kind of invalid response, with the clause that says what was received. */
interface Unsound {
  readonly kind: UnsoundKind;
  readonly what: string;
  /** The body becomes disproportionately large when it is decoded. */
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
    // If the server does not speak HTTP, the address is wrong, and no operation is at fault.
    if (elsewhere.includes(fault.kind) && knowledge.answers.size === 0) return seen;
    // A stream has no end, and so no size.
    if (fault.kind === 'body.too-large' && streams(operation)) return seen;
    // `hasOwn` has shown that the kind has a rule.
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
    message:
      `The response to ${requestPhrase(subject.case)} ${said}: ` +
      `${clause} (${kind}, ${source}).`,
    expected,
    actual: clause,
    cause: kind,
    ...(severity === undefined ? {} : { severity, basis: 'advice' }),
  };
}

function severityOf(kind: UnsoundKind, operation: Operation): Severity | undefined {
  return kind === 'body.too-large' && downloads(operation) ? 'note' : httpRules[kind].severity;
}
