import { createReadStream } from 'node:fs';
import type { RunEvent } from '../../check/model/event.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { mergeEvents } from '../../report/blob/merge-events.ts';
import { readBlob } from '../../report/blob/read-blob.ts';
import { showEvents } from '../../report/blob/show-events.ts';
import type { Io } from '../io.ts';
import { startReporters } from './read-reporters.ts';
import { reportEvents } from './report-events.ts';

/** What is to be made of blobs. */
export interface ReportWords {
  readonly reporter: readonly string[];
  readonly verbose: boolean;
}

/**
 * Joins the blobs of the shards of a run, lets the reporters write, and answers the verdict of the
 * whole.
 */
export async function mergeBlobs(
  io: Io,
  files: readonly string[],
  words: ReportWords,
): Promise<Verdict> {
  return report(io, words, mergeEvents(files.map((file) => ({ file, events: readEvents(file) }))));
}

/**
 * Lets the reporters write what they would have written during the run of one blob, and answers its
 * verdict.
 */
export async function showBlob(io: Io, file: string, words: ReportWords): Promise<Verdict> {
  return report(io, words, showEvents({ file, events: readEvents(file) }));
}

function report(
  io: Io,
  { reporter, verbose }: ReportWords,
  events: AsyncIterable<RunEvent>,
): Promise<Verdict> {
  return reportEvents(
    events,
    startReporters(reporter.length === 0 ? ['pretty'] : reporter, io, verbose),
  );
}

async function* readEvents(file: string): AsyncGenerator<RunEvent, void> {
  try {
    yield* readBlob(file, readLines(file));
  } catch (cause) {
    if (cause instanceof VouchError || codeOf(cause) === undefined) throw cause;
    const words =
      codeOf(cause) === 'ENOENT'
        ? `There is no file ${file}.`
        : codeOf(cause) === 'EISDIR'
          ? `${file} is a folder, and no blob.`
          : `The blob ${file} cannot be read: ${codeOf(cause) ?? String(cause)}.`;
    throw new VouchError('usage', words, {
      cause,
      hint: 'Check its name; vouch check URL --reporter blob=FILE writes one.',
    });
  }
}

async function* readLines(file: string): AsyncGenerator<string, void> {
  let rest = '';
  const chunks: AsyncIterable<string> = createReadStream(file, 'utf8');
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
