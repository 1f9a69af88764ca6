import { type CleanedRecord, cleanUpRun } from '../../check/engine/run/clean-up-run.ts';
import { VouchError } from '../../errors.ts';
import { suggestWord } from '../../nearest-word.ts';
import { readLedgers, type UnfinishedRun } from '../../library/state/file-ledger.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { readVersion } from '../../library/package-files.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { exitCodes, type Io } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import { asCalled } from '../program-name.ts';
import { findContractAgain } from './earlier-contract.ts';
import { readAccess } from './credentials.ts';

/** The flags of `vouch cleanup`. */
export interface CleanupFlags extends ContractFlags {
  readonly list: boolean;
  readonly forget: boolean;
  readonly contract?: string;
  readonly auth: readonly string[];
  readonly header: readonly string[];
  readonly documentHeader?: readonly string[];
}

/** Lists the runs that may have left records, and deletes those records. Idempotent. */
export async function runCleanupCommand(
  io: Io,
  wanted: readonly string[],
  flags: CleanupFlags,
): Promise<number> {
  if (flags.list && flags.forget)
    throw new VouchError('usage', '--list and --forget cannot be combined.', {
      hint: 'List the runs first, then forget them by name.',
    });
  const folder = stateFolder(io.env, process.platform);
  const known = folder === undefined ? [] : await readLedgers(folder);
  const unknown = wanted.find((id) => !known.some(({ run }) => run.id === id));
  if (unknown !== undefined)
    throw new VouchError('usage', `No run ${unknown} with records left.`, {
      hint: suggestWord(
        unknown,
        known.map(({ run }) => run.id),
      ),
    });
  const runs = known.filter(({ run }) => wanted.length === 0 || wanted.includes(run.id));
  if (runs.length === 0) io.out('No run on this machine left any records.\n');
  let isAllGone = true;
  for (const unfinished of runs) isAllGone = (await treat(unfinished, io, flags)) && isAllGone;
  if (flags.list && runs.length > 0) io.err(nextAfterList);
  return isAllGone ? exitCodes.passed : exitCodes.failed;
}

const nextAfterList =
  'Delete the records with vouch cleanup RUN, or keep them and forget the run with ' +
  'vouch cleanup --forget RUN.\n';

/** Lists, forgets or cleans up one run, and returns whether it left nothing behind. */
async function treat(unfinished: UnfinishedRun, io: Io, flags: CleanupFlags): Promise<boolean> {
  const { run, left, isRunning } = unfinished;
  const count = left.records.length === 1 ? '1 record' : `${String(left.records.length)} records`;
  const more = left.uncertain ? ' or more: the run was interrupted' : '';
  io.out(`${cleanLine(run.id)}  ${cleanLine(run.target)}  ${run.startedAt}  ${count}${more}\n`);
  if (flags.list) return true;
  if (isRunning) {
    io.out('  Still running; it deletes its own records.\n');
    return true;
  }
  if (flags.forget) {
    await unfinished.forget();
    io.out('  Forgotten; its records stay.\n');
    return true;
  }
  const cleaned = await clean(unfinished, io, flags);
  io.out(
    [
      ...Map.groupBy(cleaned, ({ outcome, reason }) =>
        outcome === 'left' ? `left ${reason}` : outcome,
      ).values(),
    ]
      .map(formatAlike)
      .join(''),
  );
  io.out(formatUnfinished(left.unanswered));
  io.out(formatUnidentified(left.unidentified));
  const isGone =
    left.unanswered.length + left.unidentified.length === 0 &&
    cleaned.every(({ outcome }) => outcome !== 'left');
  if (isGone) await unfinished.forget();
  else io.out(asCalled(`  ${cleanupHint(cleaned, run.id)}\n`, io.program));
  return isGone;
}

/** The next step for records that could not be deleted. */
function cleanupHint(cleaned: readonly CleanedRecord[], id: string): string {
  const isLockedOut = cleaned.some(({ code }) => code === 'delete-unauthorised');
  if (isLockedOut)
    return (
      'The target rejected the credential, or none was given: set VOUCH_TOKEN, ' +
      'or name a variable with --auth env:NAME, and run vouch cleanup again.'
    );
  return (
    'Delete the remaining records by hand, then forget the run with vouch ' +
    `cleanup --forget ${cleanLine(id)}.`
  );
}

/**
 * Formats requests that were in flight when the run ended and could not carry the marker of the
 * run.
 */
function formatUnfinished(unfinished: readonly string[]): string {
  return [...Map.groupBy(unfinished, (request) => request)]
    .map(
      ([request, times]) =>
        `  unknown  ${countOf(times.length, 'request')} to ${cleanLine(request)} ` +
        'got no response; a record it created would carry no marker: check the ' +
        'newest records there\n',
    )
    .join('');
}

/** Formats accepted requests whose responses do not identify the created records. */
function formatUnidentified(unidentified: readonly string[]): string {
  return [...Map.groupBy(unidentified, (request) => request)]
    .map(([request, times]) => {
      const accepted = `${countOf(times.length, 'accepted request')} to ${cleanLine(request)}`;
      return `  unknown  ${accepted}: the responses do not identify the created records\n`;
    })
    .join('');
}

const maxNamed = 8;

/** Formats records with the same outcome in one line; names only the first few. */
function formatAlike(alike: readonly CleanedRecord[]): string {
  const [first] = alike;
  const names = alike
    .slice(0, maxNamed)
    .map(({ record }) => cleanLine(record))
    .join(', ');
  const more = alike.length > maxNamed ? ` and ${String(alike.length - maxNamed)} more` : '';
  return (
    `  ${(first?.outcome ?? '').padEnd(7)}  ` +
    `${names}${more}${first?.outcome === 'left' ? `: ${cleanLine(first.reason)}` : ''}\n`
  );
}

async function clean(
  { run, left }: UnfinishedRun,
  io: Io,
  flags: CleanupFlags,
): Promise<CleanedRecord[]> {
  const contract = await findContractAgain(flags.contract, run.contract, flags);
  return cleanUpRun(left, {
    url: run.target,
    servers: run.servers,
    contract,
    seed: run.seed,
    mode: 'read-write',
    version: readVersion(),
    clock: io.clock,
    ...readAccess(io, flags, contract),
  });
}
