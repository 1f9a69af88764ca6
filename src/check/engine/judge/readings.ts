import { hasTrait } from '../../topics/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { rangeOf } from '../../../contract/select-response.ts';
import { matchesMediaRange } from '../../../http/media-type.ts';
import { headerValue, isRedirect, isSuccess } from '../../../http/message.ts';
import { unjudgedCause } from '../../model/knowledge.ts';
import { isRead, streams } from '../../reading/read-answer.ts';
import { hasSpoken } from '../../reading/latency.ts';
import type { Finding } from '../../model/finding.ts';
import type { Step } from '../../model/step.ts';
import type { UnsoundKind } from '../../model/http-rules.ts';
import { maxBodyBytes, maxHeaderBytes, sizeWords } from '../../transport/send.ts';

/**
 * Why a response was not read completely: what is wrong with it, or which limit of vouch it
 * exceeds.
 */
export type UnreadKind = UnsoundKind;

/** How many responses of one operation were read. */
export interface OperationReading {
  readonly operation: Operation;
  /**
   * Responses that were read completely, and so could be judged: those to requests that test the
   * operation itself, not its refusal of a credential or a method.
   */
  readonly read: number;
  /** Responses that were not read completely, by the reason. */
  readonly unread: ReadonlyMap<UnreadKind, number>;
}

/** Limits of vouch itself: a response beyond one of them may be valid, and is not judged. */
const ownLimits: ReadonlySet<UnreadKind> = new Set<UnreadKind>([
  'body.too-large',
  'headers.too-large',
  'encoding.chain',
  'charset.unknown',
]);

/** Counts by operation what was read, in the order of their first requests. */
export function readingsOf(steps: readonly Step[]): readonly OperationReading[] {
  const byOperation = Map.groupBy(steps, (step) => step.case.operation);
  return [...byOperation].map(([operation, own]) => {
    const unread = new Map<UnreadKind, number>();
    for (const kind of own.flatMap((step) => whyUnread(step) ?? [])) {
      unread.set(kind, (unread.get(kind) ?? 0) + 1);
    }
    return {
      operation,
      read: own.filter((step) => isAboutOperation(step) && isRead(step)).length,
      unread,
    };
  });
}

function isAboutOperation({ case: { intent } }: Step): boolean {
  return !['credential', 'method', 'identity'].includes(intent.kind);
}

function whyUnread({ exchange, answer }: Step): UnreadKind | undefined {
  if (answer.kind === 'unreadable' && answer.content !== undefined) return answer.content;
  if (exchange.fault === undefined || !hasSpoken(exchange)) return undefined;
  // The faults after an HTTP server responded are those of its response, which are unsound kinds.
  return exchange.fault.kind as UnreadKind;
}

/** Responses that were not read, of operations with the same reason. */
export interface Unread {
  /** `unjudged`: it was read, but validating it would take too long. */
  readonly kind: UnreadKind | 'unjudged';
  readonly operations: readonly string[];
  readonly count: number;
}

/**
 * The responses without which a run cannot pass: those beyond a limit of vouch itself, and those of
 * operations of which no response was read at all. A documented stream is endless, and findings
 * that a baseline accepts are known.
 */
export function missedReadings(
  readings: readonly OperationReading[],
  findings: readonly Finding[],
): Unread[] {
  const missed = readings.flatMap(({ operation, read, unread }) => {
    if (isAccepted(operation, findings)) return [];
    const kinds = [...unread].filter(([kind]) => !isStreamed(operation, kind));
    return kinds.flatMap(([kind, count]) => {
      return read === 0 || ownLimits.has(kind) ? [{ kind, count, operation: operation.id }] : [];
    });
  });
  const unread = [...Map.groupBy(missed, ({ kind }) => kind)].map(([kind, alike]) => ({
    kind,
    operations: alike.map(({ operation }) => operation),
    count: alike.reduce((sum, { count }) => sum + count, 0),
  }));
  return [...unread, ...unjudged(findings)];
}

/** Responses that were read and not judged: a finding reports each of their schemas. */
function unjudged(findings: readonly Finding[]): Unread[] {
  const found = findings.filter(
    ({ cause, accepted }) => cause === unjudgedCause && accepted === undefined,
  );
  if (found.length === 0) return [];
  const operations = [...new Set(found.flatMap((finding) => finding.operations))];
  const count = found.reduce((sum, finding) => sum + finding.count, 0);
  return [{ kind: 'unjudged', operations, count }];
}

function isStreamed(operation: Operation, kind: UnreadKind): boolean {
  return kind === 'body.too-large' && streams(operation);
}

function isAccepted({ id }: Operation, findings: readonly Finding[]): boolean {
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  return accepted.some(
    ({ check, operations }) => hasTrait(check, 'messages') && operations.includes(id),
  );
}

/**
 * Whether a response shows something about its operation. A refused credential, a 404, a 304, a
 * request to slow down and an undocumented web page do not; a redirect does if the operation
 * documents it and no success.
 */
export function isTelling(step: Step): boolean {
  const { response } = step.exchange;
  const { operation } = step.case;
  if (response === undefined || isWebPage(step)) return false;
  const { status } = response;
  if (isRedirect(status)) return isRedirector(operation, status);
  return ![304, 401, 403, 404, 429].includes(status);
}

function isRedirector({ responses }: Operation, status: number): boolean {
  const documented = responses.map((response) => response.status);
  if (documented.some((name) => name.startsWith('2'))) return false;
  return documented.includes(String(status)) || documented.includes('3XX');
}

/**
 * Whether a success is a web page, and its operation documents none: another server answers, such
 * as that of a web site, with one page for every path, or one that asks for a login.
 */
export function isWebPage({ exchange: { response }, case: { operation } }: Step): boolean {
  if (response === undefined || !isSuccess(response.status)) return false;
  const mediaType = headerValue(response.headers, 'content-type') ?? '';
  return (
    matchesMediaRange(mediaType, 'text/html') &&
    !operation.responses.some(({ content }) =>
      content.some((documented) => matchesMediaRange(mediaType, rangeOf(documented))),
    )
  );
}

/** What is wrong with responses, as the predicate of a sentence. */
interface Predicate {
  readonly one: string;
  readonly many: string;
}

const maxNamed = 5;

const predicates: Partial<Readonly<Record<Unread['kind'], Predicate>>> = {
  unjudged: {
    one: 'takes more work to judge than vouch gives a response',
    many: 'take more work to judge than vouch gives a response',
  },
  'body.too-large': {
    one: `is larger than vouch reads (${sizeWords(maxBodyBytes)})`,
    many: `are larger than vouch reads (${sizeWords(maxBodyBytes)})`,
  },
  'headers.too-large': {
    one: `has a header larger than vouch reads (${sizeWords(maxHeaderBytes)})`,
    many: `have headers larger than vouch reads (${sizeWords(maxHeaderBytes)})`,
  },
  'encoding.chain': {
    one: 'has more content codings than vouch undoes',
    many: 'have more content codings than vouch undoes',
  },
  'charset.unknown': {
    one: 'is in a charset that vouch does not know',
    many: 'are in a charset that vouch does not know',
  },
};

/** Responses that were not read, in one sentence: how many, of which operations, and why. */
export function describeUnread({ kind, operations, count }: Unread): string {
  const of = nameSome(operations);
  const { one, many } = predicates[kind] ?? {
    one: `could not be read (${kind})`,
    many: `could not be read (${kind})`,
  };
  if (count === 1) return `A response of ${of} ${one}; it was not judged.`;
  return `${String(count)} responses of ${of} ${many}; they were not judged.`;
}

function nameSome(operations: readonly string[]): string {
  const named = operations.slice(0, maxNamed).join(', ');
  const more = operations.length - maxNamed;
  return more > 0 ? `${named} and ${String(more)} more operations` : named;
}
