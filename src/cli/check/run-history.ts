import { existsSync, readFileSync } from 'node:fs';
import type { RunInfo } from '../../check/model/event.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { isJsonObject } from '../../json/value.ts';
import type { EarlierRun } from '../../report/reporter.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './run-reporters.ts';

/**
 * The runs in a file of --history, one a line, oldest first; none if there is no such file yet. A
 * file of another kind is refused before anything is appended to it.
 */
export function readHistory(file: string): readonly EarlierRun[] {
  if (!existsSync(file)) return [];
  return readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const run = readLine(line);
      if (run === undefined)
        throw new VouchError('usage', `${file} is no history of runs.`, {
          hint: 'Name a file that --history wrote, or one that does not exist yet.',
        });
      return run;
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new VouchError(
      'usage',
      `Cannot read the history ${file} (${codeOf(cause) ?? String(cause)}).`,
      { cause, hint: 'Name a file that can be read and written.' },
    );
  }
}

const texts = ['id', 'target', 'contract', 'startedAt', 'verdict'];
const counts = ['errors', 'warnings'];

function readLine(line: string): EarlierRun | undefined {
  try {
    const run: unknown = JSON.parse(line);
    const isRun =
      isJsonObject(run) &&
      texts.every((name) => typeof run[name] === 'string') &&
      counts.every((name) => typeof run[name] === 'number');
    return isRun ? (run as unknown as EarlierRun) : undefined;
  } catch {
    return undefined;
  }
}

/** Appends the run to the file of --history at its end. */
export function keepHistory(io: Io, file: string): RunningReporter {
  // Opened before the first request, so that an unwritable file fails early.
  const writer = io.appendFile(file);
  let run: RunInfo | undefined;
  let summary: RunSummary | undefined;
  return {
    take(event) {
      if (event.type === 'run-started') run = event.run;
      if (event.type === 'run-finished') summary = event.summary;
    },
    async finish() {
      if (run === undefined || summary === undefined) return writer.discard();
      const { error: errors, warning: warnings } = summary.findings;
      const entry: EarlierRun = {
        id: run.id,
        target: run.target,
        contract: run.contract.title,
        startedAt: run.startedAt,
        verdict: summary.verdict,
        errors,
        warnings,
      };
      writer.write(`${JSON.stringify(entry)}\n`);
      writer.finish();
    },
    discard() {
      writer.discard();
    },
  };
}
