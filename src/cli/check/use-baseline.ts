import { readFile } from 'node:fs/promises';
import {
  type BaselineEntry,
  compareBaseline,
  formatBaseline,
  parseBaseline,
} from '../../check/baseline/baseline.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { isPlainFile } from '../../files/write-target.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './read-reporters.ts';

/** What is asked for: the file, and whether it is to be written anew. */
export interface BaselineWish {
  readonly file: string;
  readonly update: boolean;
}

/** The file that is meant where --update-baseline names none. */
const usualFile = 'vouch.baseline.json';

/** What the command line asks for; undefined where it asks for no baseline. */
export function baselineWish({
  baseline,
  updateBaseline,
}: {
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}): BaselineWish | undefined {
  const update = updateBaseline === true;
  return baseline === undefined && !update ? undefined : { file: baseline ?? usualFile, update };
}

/**
 * Reads the known findings. A file that is not there yet is an empty one where it is about to be
 * written.
 */
export async function readBaseline({
  file,
  update,
}: BaselineWish): Promise<readonly BaselineEntry[]> {
  // What is no regular file, such as /dev/stdout, cannot be read before it is written.
  if (update && !isPlainFile(file)) return [];
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (update && codeOf(cause) === 'ENOENT') return [];
    throw new VouchError(
      'usage',
      `The baseline ${file} cannot be read (${codeOf(cause) ?? String(cause)}).`,
      { cause, hint: 'Write it first: the same command with --update-baseline.' },
    );
  }
  const entries = parseBaseline(text);
  if (entries === undefined)
    throw new VouchError('usage', `${file} is no baseline of vouch.`, {
      hint: 'A baseline is written by vouch check --update-baseline. Name another file, or delete this one.',
    });
  return entries;
}

/**
 * Tells people what became of the known findings when the run is over, and writes the file anew
 * where that is asked for.
 */
export function watchBaseline(
  io: Io,
  { file, update }: BaselineWish,
  entries: readonly BaselineEntry[],
): RunningReporter {
  // It is opened now: a file that cannot be written is known before the first request.
  const writer = update ? io.openFile(file) : undefined;
  const findings: Finding[] = [];
  let summary: RunSummary | undefined;
  return {
    take(event) {
      if (event.type === 'finding-reported') findings.push(event.finding);
      if (event.type === 'run-finished') summary = event.summary;
    },
    async finish() {
      if (summary === undefined) return writer?.discard();
      const { accepted, fixed, updated } = compareBaseline(findings, entries, summary);
      if (writer !== undefined) {
        writer.write(formatBaseline(updated));
        writer.finish();
        io.err(`${file} now accepts ${count(updated.length, 'finding')}.\n`);
        return;
      }
      if (accepted > 0)
        io.err(
          `${count(accepted, 'finding')} ${accepted === 1 ? 'is' : 'are'} accepted by ${file}.\n`,
        );
      if (fixed.length === 0) return;
      io.err(
        `${count(fixed.length, 'finding')} of the baseline ${fixed.length === 1 ? 'is' : 'are'} fixed; run --update-baseline:\n`,
      );
      for (const { id, check, operation } of fixed)
        io.err(`  ${cleanLine(id)}  ${cleanLine(check)}  ${cleanLine(operation)}\n`);
    },
    discard() {
      writer?.discard();
    },
  };
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
