import { type CleanedRecord, cleanUpRun } from '../../check/engine/run/clean-up-run.ts';
import { suggestWord, usage } from '../../errors.ts';
import { readLedgers, type UnfinishedRun } from '../../library/state/file-ledger.ts';
import { stateFolder } from '../../library/state/run-memory.ts';
import { readVersion } from '../../library/package-files.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { asCalled, exitCodes, fitLines, type Io } from '../io.ts';
import type { ContractFlags } from '../find-contract.ts';
import { findContractAgain } from './earlier-contract.ts';
import { readAccess } from './credentials.ts';
import { describeAge } from './describe-age.ts';

export interface CleanupFlags extends ContractFlags {
  readonly list: boolean;
  readonly forget: boolean;
  /** Whether each record is named. */
  readonly verbose: boolean;
  readonly contract?: string;
  readonly auth: readonly string[];
  readonly header: readonly string[];
}

/** Lists the runs that may have left records, and deletes those records. Idempotent. */
export async function runCleanupCommand(
  io: Io,
  wanted: readonly string[],
  flags: CleanupFlags,
): Promise<number> {
  refuseBoth(flags);
  const folder = stateFolder(io.env, process.platform);
  const known = folder === undefined ? [] : await readLedgers(folder);
  const unknown = wanted.find((id) => !known.some(({ run }) => run.id === id));
  if (unknown !== undefined)
    throw usage(`No run ${unknown} with records left.`, {
      hint: suggestWord(
        unknown,
        known.map(({ run }) => run.id),
      ),
    });
  const runs = known.filter(({ run }) => wanted.length === 0 || wanted.includes(run.id));
  if (runs.length === 0) io.out('No run on this machine left any records.\n');
  const left: Treated[] = [];
  for (const unfinished of runs) {
    const treated = await treat(unfinished, io, flags);
    io.out(fitLines(`${headOf(unfinished, io)}  ${treated.text}\n`, io, 'out'));
    if (!treated.isDone) left.push(treated);
  }
  const next = nextStep(left, { isList: flags.list && runs.length > 0 });
  io.err(fitLines(asCalled(next, io.program), io, 'err'));
  return left.length === 0 ? exitCodes.passed : exitCodes.failed;
}

function refuseBoth({ list, forget }: CleanupFlags): void {
  if (list && forget)
    throw usage('--list and --forget cannot be combined.', {
      hint: 'List the runs first, then forget them.',
    });
}

/** What became of one run: a clause, and whether nothing of it is left to do. */
interface Treated {
  readonly text: string;
  readonly isDone: boolean;
  readonly isLockedOut?: boolean;
}

/** `vouch-7f3a9c  http://127.0.0.1:4010  3 minutes ago`. */
function headOf({ run }: UnfinishedRun, io: Io): string {
  const age = describeAge(io, run.startedAt).replace(', ', '');
  return [cleanLine(run.id), cleanLine(run.target), age].filter((part) => part !== '').join('  ');
}

/** Lists, forgets or cleans up one run. */
async function treat(unfinished: UnfinishedRun, io: Io, flags: CleanupFlags): Promise<Treated> {
  const { left, isRunning } = unfinished;
  const hidden = left.unidentified.length;
  const known = countOf(left.records.length, 'record');
  const count = hidden === 0 ? known : `${known}, and ${String(hidden)} that no answer identifies`;
  const more = left.uncertain ? ' or more: the run was interrupted' : '';
  if (flags.list) return { text: `${count}${more}`, isDone: true };
  if (isRunning) return { text: 'still running; it deletes its own records', isDone: true };
  if (flags.forget) {
    await unfinished.forget();
    return { text: `forgotten; ${count}${more === '' ? '' : ' or more'} stay`, isDone: true };
  }
  const cleaned = await clean(unfinished, io, flags);
  const text = [
    ...outcomesOf(cleaned, flags.verbose),
    ...unansweredClauses(left.unanswered),
    ...unidentifiedClauses(left.unidentified),
  ].join('; ');
  const isDone =
    left.unanswered.length + left.unidentified.length === 0 &&
    cleaned.every(({ outcome }) => outcome !== 'left');
  if (isDone) await unfinished.forget();
  const isLockedOut = cleaned.some(({ code }) => code === 'delete-unauthorised');
  return { text: text || 'nothing left', isDone, isLockedOut };
}

/** What to do next, once for all runs. */
function nextStep(left: readonly Treated[], { isList }: { readonly isList: boolean }): string {
  if (isList)
    return (
      'Delete the records with vouch cleanup RUN, or keep them and forget the run with ' +
      'vouch cleanup --forget RUN.\n'
    );
  const lockedOut = left.some(({ isLockedOut }) => isLockedOut === true)
    ? 'The target rejected the credential, or none was given: set VOUCH_TOKEN, ' +
      'or name a variable with --auth env:NAME, and run vouch cleanup again.\n'
    : '';
  const others = left.some(({ isLockedOut }) => isLockedOut !== true)
    ? 'Delete the remaining records by hand, then forget the run with vouch cleanup ' +
      '--forget RUN, or all runs with --forget.\n'
    : '';
  return lockedOut + others;
}

/** Requests that were in flight when the run ended and could not carry the marker of the run. */
function unansweredClauses(unanswered: readonly string[]): string[] {
  return countedClauses(
    'request',
    unanswered,
    ' got no response; a record it created would carry no marker: check the newest records there',
  );
}

/** Accepted requests whose responses do not identify the created records. */
function unidentifiedClauses(unidentified: readonly string[]): string[] {
  const clause = ': the responses do not identify the created records';
  return countedClauses('accepted request', unidentified, clause);
}

function countedClauses(noun: string, requests: readonly string[], clause: string): string[] {
  return [...Map.groupBy(requests, (request) => request)].map(
    ([request, times]) => `${countOf(times.length, noun)} to ${cleanLine(request)}${clause}`,
  );
}

/** `12 records of books deleted`, with the reason of what is left; `verbose` names each record. */
function outcomesOf(cleaned: readonly CleanedRecord[], verbose: boolean): string[] {
  const key = ({ record, outcome, reason }: CleanedRecord): string =>
    [outcome, kindOf(record), outcome === 'left' ? reason : ''].join(' ');
  return [...Map.groupBy(cleaned, key).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { record, outcome, reason } = first;
    const kind = kindOf(record);
    const names = alike.map((each) => cleanLine(each.record.slice(kind.length + 1)));
    return (
      `${countOf(alike.length, 'record')} of ${cleanLine(kind)} ` +
      (verbose ? `(${names.join(', ')}) ` : '') +
      outcome +
      (outcome === 'left' ? `: ${cleanLine(reason)}` : '')
    );
  });
}

/** The resource of a record, whose name has no blank: `books` of `books 12`. */
function kindOf(record: string): string {
  return record.split(' ', 1)[0] ?? '';
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
