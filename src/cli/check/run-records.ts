import { wordsIn } from '../../words-in.ts';
import { pick } from '../../json/value.ts';
import { readFile } from 'node:fs/promises';
import {
  type BaselineEntry,
  compareBaseline,
  formatBaseline,
  parseBaseline,
} from '../../check/engine/baseline/baseline.ts';
import type { CleanupLedger } from '../../check/engine/cleanup/cleanup-ledger.ts';
import type { RunEvent } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import type { Contract } from '../../contract/model.ts';
import { codeOf, usage } from '../../errors.ts';
import { isPlainFile } from '../../files/write-target.ts';
import { type FileLedger, openFileLedger } from '../../library/state/file-ledger.ts';
import { type KnownRun, rememberRun, stateFolder } from '../../library/state/run-memory.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './run-reporters.ts';

/**
 * What the state folder stores of a run: its findings for `vouch replay` and its records for `vouch
 * cleanup`.
 */
export interface RunKeeping {
  readonly reporter: RunningReporter;
  readonly cleanupLedger: CleanupLedger;
}

/**
 * Stores a run in the state folder; returns undefined if there is no such folder. A failure to
 * write is a warning. A run that judges no responses is not stored for replay.
 */
export function keepRun(
  io: Io,
  contract: Contract,
  { judges = true }: { readonly judges?: boolean } = {},
): RunKeeping | undefined {
  const folder = stateFolder(io.env, process.platform);
  if (folder === undefined) return undefined;
  const warn = (message: string): void => io.err(`${message}\n`);
  const told: RunEvent[] = [];
  let run: KnownRun | undefined;
  let ledger: FileLedger | undefined;
  let leftAny = false;
  const take = (event: RunEvent): void => {
    if (event.type === 'finding-reported' || event.type === 'run-finished') told.push(event);
    if (event.type === 'record-left') leftAny = true;
    if (event.type !== 'run-started') return;
    const [path] = contract.files;
    const overlays = contract.overlays.length === 0 ? undefined : contract.overlays;
    run = {
      ...pick(event.run, wordsIn('id target servers mode seed startedAt')),
      folder: process.cwd(),
      contract: { ...event.run.contract, path, overlays },
    };
    ledger = openFileLedger(folder, run, warn);
  };
  let secured: Promise<void> | undefined;
  const remember = async (
    events: readonly RunEvent[],
    tellFault: (message: string) => void,
  ): Promise<void> => {
    const ended = events.find(({ type }) => type === 'run-finished');
    const found = events.flatMap((event) =>
      event.type === 'finding-reported' ? [event.finding] : [],
    );
    if (judges && run !== undefined && ended?.type === 'run-finished')
      await rememberRun(folder, run, { findings: found, summary: ended.summary, warn: tellFault });
  };
  // A run that is killed while it deletes its records can be replayed too.
  const secure = (conclusion: readonly RunEvent[]): void => {
    // A folder that cannot be written is told at the end.
    secured = remember(conclusion, () => {});
  };
  const finish = async (): Promise<void> => {
    if (run === undefined) return;
    await ledger?.finish(leftAny);
    await secured;
    await remember(told, warn);
  };
  // The run announces its name before its first write.
  const cleanupLedger: CleanupLedger = {
    intend: (write) => ledger?.intend(write),
    settle: (settled) => ledger?.settle(settled),
  };
  const discard = (): void => void ledger?.finish(true);
  return { reporter: { take, secure, finish, discard }, cleanupLedger };
}

export interface BaselineOptions {
  readonly file: string;
  readonly update: boolean;
}

/** The default file of --update-baseline. */
const usualFile = 'vouch.baseline.json';

/** The baseline that the flags select, or undefined if they select none. */
export function baselineOptions({
  baseline,
  updateBaseline,
}: {
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}): BaselineOptions | undefined {
  const update = updateBaseline === true;
  return baseline === undefined && !update ? undefined : { file: baseline ?? usualFile, update };
}

/** Reads the known findings. A missing file counts as empty if it is about to be written. */
export async function readBaseline({
  file,
  update,
}: BaselineOptions): Promise<readonly BaselineEntry[]> {
  // Devices and pipes, such as /dev/stdout, cannot be read before they are written.
  if (update && !isPlainFile(file)) return [];
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (update && codeOf(cause) === 'ENOENT') return [];
    throw usage(`Cannot read the baseline ${file} (${codeOf(cause) ?? String(cause)}).`, {
      cause,
      hint: 'Create it with the same command and --update-baseline.',
    });
  }
  const entries = parseBaseline(text);
  if (entries === undefined)
    throw usage(`${file} is not a vouch baseline.`, {
      hint:
        'Write a baseline with vouch check --update-baseline. Use another file, ' +
        'or delete this one.',
    });
  return entries;
}

/** Prints a summary of the known findings after the run, and writes the file if requested. */
export function watchBaseline(
  io: Io,
  { file, update }: BaselineOptions,
  entries: readonly BaselineEntry[],
): RunningReporter {
  // Opened before the first request, so that an unwritable file fails early.
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
        io.err(`${file} now accepts ${countOf(updated.length, 'finding')}.\n`);
        return;
      }
      if (accepted > 0) io.err(`${file} accepts ${countOf(accepted, 'finding')}.\n`);
      if (fixed.length === 0) return;
      io.err(
        `${countOf(fixed.length, 'finding')} of the baseline ` +
          `${fixed.length === 1 ? 'is' : 'are'} fixed; remove with ` +
          '--update-baseline:\n',
      );
      for (const { id, check, operation } of fixed)
        io.err(`  ${cleanLine(id)}  ${cleanLine(check)}  ${cleanLine(operation)}\n`);
    },
    discard() {
      writer?.discard();
    },
  };
}

/**
 * Writes the Overlay of a run at its end. If the contract documents everything that was observed,
 * prints that and writes no file.
 */
export async function writeOverlay(io: Io, file: string): Promise<RunningReporter> {
  const [{ OverlayMaker }, { formatOverlay }] = await Promise.all([
    import('../../check/engine/overlay/make-overlay.ts'),
    import('../../contract/overlay/format-overlay.ts'),
  ]);
  const maker = new OverlayMaker();
  // Opened before the first request, so that an unwritable file fails early.
  const writer = io.openFile(file);
  return {
    take: (event) => maker.take(event),
    async finish() {
      const overlay = maker.make();
      const { length } = overlay.actions;
      if (length === 0) {
        writer.discard();
        io.err('No Overlay written: nothing was seen that it could add to the contract.\n');
        return;
      }
      writer.write(formatOverlay(overlay));
      writer.finish();
      io.err(
        `Wrote ${file} with ${String(length)} ` +
          `${length === 1 ? 'addition' : 'additions'} to the contract. Review it ` +
          'before you apply it: the deployment may be wrong.\n',
      );
    },
    discard: () => writer.discard(),
  };
}
