import { codeOf, VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { reporters } from '../../report/reporters.ts';
import type { RunEvent } from '../../check/event.ts';
import { wantsColor, type Io } from '../io.ts';

/** A reporter at work: it takes every event, and writes what is left when the run is over. */
export interface RunningReporter {
  take(event: RunEvent): void;
  finish(): Promise<void>;
}

/** Starts the reporters that were asked for: `pretty` for stdout, `junit=report.xml` for a file. */
export function startReporters(wanted: readonly string[], io: Io, verbose: boolean): RunningReporter[] {
  const toStdout = wanted.filter((word) => !word.includes('='));
  if (toStdout.length > 1) throw new VouchError('usage', `Only one reporter can have stdout; ${toStdout.join(' and ')} both want it.`, { hint: `Give the others a file: --reporter ${toStdout.at(-1) ?? ''}=report.txt` });
  return wanted.map((word) => startReporter(word, io, verbose));
}

function startReporter(word: string, io: Io, verbose: boolean): RunningReporter {
  const [id = '', ...rest] = word.split('=');
  const file = rest.length === 0 ? undefined : rest.join('=');
  const reporter = reporters.find((candidate) => candidate.id === id);
  if (reporter === undefined) throw new VouchError('usage', `There is no reporter ${id}.`, { hint: suggestWord(id, reporters.map((known) => known.id)) });
  if (file === '') throw new VouchError('usage', `--reporter ${word} names no file.`, { hint: `Write --reporter ${id}=FILE, or --reporter ${id} for stdout.` });
  const write = reporter.begin({ color: file === undefined && wantsColor(io, 'out'), width: file === undefined ? io.width : 80, verbose });
  if (file === undefined) return { take: (event) => io.out(write(event)), finish: async () => {} };
  const parts: string[] = [];
  return { take: (event) => void parts.push(write(event)), finish: () => writeReport(io, file, parts.join('')) };
}

async function writeReport(io: Io, file: string, text: string): Promise<void> {
  try {
    await io.writeFile(file, text);
  } catch (cause) {
    throw new VouchError('usage', `The report ${file} cannot be written: ${codeOf(cause) ?? String(cause)}.`, { cause, hint: 'Check that its folder exists and may be written to.' });
  }
}
