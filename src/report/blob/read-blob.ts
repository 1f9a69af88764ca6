import type { RunEvent } from '../../check/event.ts';
import { VouchError } from '../../errors.ts';
import { blobHead } from './blob.ts';
import { fromPlainData, type PlainData } from './plain-data.ts';

/** Every type of event; a new one does not compile until it is named here. */
const types: Readonly<Record<RunEvent['type'], true>> = {
  'run-started': true,
  'operation-skipped': true,
  'plan-made': true,
  'exchange-recorded': true,
  'finding-reported': true,
  'gap-observed': true,
  'difference-found': true,
  'record-left': true,
  'check-crashed': true,
  'run-finished': true,
};

/**
 * The events of a blob, read line by line. A file that ends in the middle (the job that wrote it was killed) gives the events
 * up to there. Throws a VouchError where a file is no blob, or was written by a newer vouch.
 */
export async function* readBlob(file: string, lines: AsyncIterable<string>): AsyncGenerator<RunEvent, void> {
  let number = 0;
  let torn: number | undefined;
  for await (const text of lines) {
    number += 1;
    if (torn !== undefined) throw notABlob(file, `line ${String(torn)} is no JSON object with a type`);
    const data = parseLine(text);
    if (number === 1) readHead(file, data);
    else if (data === undefined) torn = number;
    else yield readEvent(file, number, data);
  }
  if (number === 0) throw notABlob(file, 'it is empty');
}

type Line = { readonly [key: string]: PlainData };

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // JSON.parse makes nothing but JSON, and this is an object of it.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function readHead(file: string, data: Line | undefined): void {
  if (data?.['type'] !== blobHead.type) throw notABlob(file, 'its first line does not say that it is one');
  if (data['blob'] !== blobHead.blob) throw new VouchError('usage', `${file} was written by another vouch: its format is ${String(data['blob'])}, and this one reads ${String(blobHead.blob)}.`, { hint: 'Use the same version of vouch for the shards and for the merge.' });
}

function readEvent(file: string, number: number, data: Line): RunEvent {
  const { type } = data;
  if (typeof type !== 'string' || !Object.hasOwn(types, type)) throw notABlob(file, `line ${String(number)} is an event that this vouch does not know: ${JSON.stringify(type)}`);
  // The head says that vouch wrote it, in this very format.
  return fromPlainData(data) as RunEvent;
}

function notABlob(file: string, why: string): VouchError {
  return new VouchError('usage', `${file} is no blob of a run: ${why}.`, { hint: 'Write one with: vouch check URL --reporter blob=FILE' });
}
