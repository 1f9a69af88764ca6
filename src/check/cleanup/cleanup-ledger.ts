import { stringifyJson } from '../../json/value.ts';
import { basePartsOf } from '../base-url.ts';
import type { CreatedRecord, RecordChanges } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import type { Send } from '../transport/send.ts';

/**
 * A request that may change the target and is about to be sent, by its number in the run. Has no
 * query and no body.
 */
export interface IntendedWrite {
  readonly write: number;
  readonly method: string;
  /** Origin and path, redacted. */
  readonly url: string;
  /**
   * Its body bears no mark of the run: what it makes can be known by its answer alone. Left out
   * where there is a mark, or nothing can be made.
   */
  readonly unmarked?: true;
}

/** A record that a run created, as plain data: values are JSON text, digit for digit. */
export interface NotedRecord {
  readonly resource: string;
  readonly identifier: string;
  /** What it stands below: the segment of the path, and the value there. */
  readonly parents: readonly (readonly [segment: number, json: string])[];
  /** Whether it was sent with the run's mark in one of its texts. */
  readonly marked: boolean;
}

/** The result of a write: a response, or none; a record that was created, or deleted. */
export type SettledWrite =
  | { readonly type: 'answered'; readonly write: number; readonly status: number }
  | { readonly type: 'unanswered'; readonly write: number; readonly reason: string }
  /**
   * A request was accepted, and its answer does not show which record it made: `POST
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
  /**
   * When it returns, the note outlives the process, however that ends: only then the request may
   * leave.
   */
  intend(write: IntendedWrite): void;
  /** The note outlives the process a moment later. */
  settle(settled: SettledWrite): void;
}

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY'];

/** How writes are noted: by which mark records of the run are known. */
interface WriteNotes {
  readonly mark: string;
}

/** The same ledger without secrets: what a service says may hold them, identifiers included. */
export function hideInLedger(ledger: CleanupLedger, hide: (text: string) => string): CleanupLedger {
  // Many requests have a URL in common, and secrets are searched for in many writings.
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
 * The same way to send, by which every request that may change something is noted before it leaves.
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

const mostRemembered = 1_000;

/** The same, worked out once for each text: all are forgotten when there are many. */
function remembering(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const made = work(text);
    known.set(text, made);
    return made;
  };
}

/** The same bytes, and no copy of them. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Notes which records a run has come to have and to lose, step by step. */
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
