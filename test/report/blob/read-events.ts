import type { RunEvent } from '../../../src/check/model/event.ts';
import { blob } from '../../../src/report/blob/blob.ts';
import { readBlob } from '../../../src/report/blob/read-blob.ts';
import { reportOf } from '../report-of.ts';

/** The events that are read back from what the reporter wrote of others. */
export function throughBlob(
  events: readonly RunEvent[],
  file = 'run.blob',
): AsyncGenerator<RunEvent, void> {
  return readText(reportOf(blob, events), file);
}

/** The events in the text of a blob. */
export function readText(text: string, file = 'run.blob'): AsyncGenerator<RunEvent, void> {
  return readBlob(file, linesOf(text));
}

async function* linesOf(text: string): AsyncGenerator<string, void> {
  const lines = text.split('\n');
  yield* lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** All of them. */
export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
