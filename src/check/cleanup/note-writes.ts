import { stringifyJson } from '../../json/stringify-json.ts';
import { basePartsOf } from '../base-parts.ts';
import type { CreatedRecord, RecordChanges } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import type { Send } from '../transport/send.ts';
import type { CleanupLedger, NotedRecord, SettledWrite } from './cleanup-ledger.ts';

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY'];

/** How writes are noted: by which mark records of the run are known. */
export interface WriteNotes {
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
