import { stringifyJson } from '../../../json/value.ts';
import { basePartsOf } from '../../model/base-url.ts';
import { safeMethods, type Step } from '../../model/step.ts';
import type { CreatedRecord, RecordChanges } from '../../model/record.ts';
import type { Send } from '../../transport/send.ts';

/**
 * A request with a possible change that is about to be sent, by its number in the run. Without
 * query and body.
 */
export interface IntendedWrite {
  readonly write: number;
  readonly method: string;
  /** Origin and path, redacted. */
  readonly url: string;
  /**
   * Set if its body contains no mark of the run: then only the response shows what it created.
   * Omitted if there is a mark, or if nothing can be created.
   */
  readonly unmarked?: true;
}

/** A created record as plain data: values are JSON text with every digit. */
export interface NotedRecord {
  readonly resource: string;
  readonly identifier: string;
  /** Its parents: the segment of the path, and the value there. */
  readonly parents: readonly (readonly [segment: number, json: string])[];
  /** Whether one of its texts contains the run's mark. */
  readonly marked: boolean;
}

/** The result of a write: a response, or none; a created or a deleted record. */
export type SettledWrite =
  | { readonly type: 'answered'; readonly write: number; readonly status: number }
  | { readonly type: 'unanswered'; readonly write: number; readonly reason: string }
  /**
   * A request was accepted, but its response does not show which record it created: `POST
   * http://…/things`.
   */
  | { readonly type: 'unidentified'; readonly request: string }
  | { readonly type: 'created'; readonly record: NotedRecord }
  | { readonly type: 'deleted'; readonly record: Pick<NotedRecord, 'resource' | 'identifier'> };

/**
 * Stores what a run may have left on its target, so that it can be cleaned up after the run was
 * killed. Neither method throws: a run does not fail because of its ledger.
 */
export interface CleanupLedger {
  /** The note is durable when this returns: only then the request may be sent. */
  intend(write: IntendedWrite): void;
  /** The note becomes durable soon after this returns. */
  settle(settled: SettledWrite): void;
}

/** The mark by which records of the run are recognised. */
interface WriteNotes {
  readonly mark: string;
}

/**
 * The same ledger without secrets, which responses of a service may contain, even in identifiers.
 */
export function hideInLedger(ledger: CleanupLedger, hide: (text: string) => string): CleanupLedger {
  // Many requests share a URL, and the search for secrets in all encodings is slow.
  const shown = remembering(hide);
  return {
    intend: (write) => ledger.intend({ ...write, url: shown(write.url) }),
    settle: (settled) => ledger.settle(hideInSettled(settled, shown)),
  };
}

function hideInSettled(settled: SettledWrite, hide: (text: string) => string): SettledWrite {
  if (settled.type === 'created') {
    const { record } = settled;
    const parents = record.parents.map(([segment, json]) => [segment, hide(json)] as const);
    return { ...settled, record: { ...record, identifier: hide(record.identifier), parents } };
  }
  if (settled.type !== 'deleted') return settled;
  const { record } = settled;
  return { ...settled, record: { ...record, identifier: hide(record.identifier) } };
}

/**
 * Wraps `send` so that every request with a possible change is stored in the ledger before it is
 * sent.
 */
export function noteWrites(send: Send, ledger: CleanupLedger, { mark }: WriteNotes): Send {
  let writes = 0;
  const sendNoted: Send = async (baseUrl, request, signal) => {
    const write = (writes += 1);
    const query = request.target.indexOf('?');
    const path = query === -1 ? request.target : request.target.slice(0, query);
    const isUnmarked = request.method === 'POST' && !bytesOf(request.body).includes(mark);
    ledger.intend({
      write,
      method: request.method,
      url: basePartsOf(baseUrl).origin + path,
      ...(isUnmarked ? { unmarked: true } : {}),
    });
    const exchange = await send(baseUrl, request, signal);
    const { response, fault } = exchange;
    ledger.settle(
      response === undefined
        ? { type: 'unanswered', write, reason: fault?.kind ?? 'nothing' }
        : { type: 'answered', write, status: response.status },
    );
    return exchange;
  };
  return (baseUrl, request, signal) =>
    safeMethods.includes(request.method)
      ? send(baseUrl, request, signal)
      : sendNoted(baseUrl, request, signal);
}

const maxRemembered = 1_000;

/** Memoises a function of texts; the cache is cleared when it is large. */
function remembering(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= maxRemembered) known.clear();
    const made = work(text);
    known.set(text, made);
    return made;
  };
}

/** The same bytes without a copy. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Stores which records a run creates and deletes, step by step. */
export function makeRecordNotes(
  ledger: CleanupLedger,
  mark: string,
): (step: Step, changes: RecordChanges) => void {
  return ({ sent }, { made, lost }) => {
    if (made !== undefined)
      ledger.settle({
        type: 'created',
        record: toNoted(made, sent.body !== undefined && stringifyJson(sent.body).includes(mark)),
      });
    for (const record of lost)
      ledger.settle({
        type: 'deleted',
        record: { resource: record.resource.name, identifier: stringifyJson(record.identifier) },
      });
  };
}

function toNoted({ resource, identifier, parents }: CreatedRecord, marked: boolean): NotedRecord {
  return {
    resource: resource.name,
    identifier: stringifyJson(identifier),
    parents: [...parents].map(([segment, value]) => [segment, stringifyJson(value)]),
    marked,
  };
}
