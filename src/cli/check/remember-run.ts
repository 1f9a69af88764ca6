import type { CleanupLedger } from '../../check/cleanup/cleanup-ledger.ts';
import type { RunEvent } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import type { Contract } from '../../contract/model.ts';
import { defined } from '../../json/defined.ts';
import { type FileLedger, openFileLedger } from '../../library/state/file-ledger.ts';
import { type KnownRun, rememberRun, stateFolder } from '../../library/state/run-memory.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './read-reporters.ts';

/**
 * What is kept of a run on this machine: its findings for `vouch replay`, and what it may leave
 * behind for `vouch cleanup`.
 */
export interface RunKeeping {
  readonly reporter: RunningReporter;
  readonly cleanupLedger: CleanupLedger;
}

/**
 * Keeps a run in the state folder; undefined where there is none. What cannot be kept is a warning.
 * A run that judges nothing is not one to replay.
 */
export function keepRun(
  io: Io,
  contract: Contract,
  { judges = true }: { readonly judges?: boolean } = {},
): RunKeeping | undefined {
  const folder = stateFolder(io.env, process.platform);
  if (folder === undefined) return undefined;
  const warn = (message: string): void => io.err(`${message}\n`);
  const findings: Finding[] = [];
  let run: KnownRun | undefined;
  let ledger: FileLedger | undefined;
  let leftAny = false;
  let summary: RunSummary | undefined;
  const take = (event: RunEvent): void => {
    if (event.type === 'finding-reported') findings.push(event.finding);
    if (event.type === 'record-left') leftAny = true;
    if (event.type === 'run-finished') summary = event.summary;
    if (event.type !== 'run-started') return;
    const { id, target, servers, mode, seed, startedAt } = event.run;
    const [path] = contract.files;
    run = {
      id,
      target,
      servers,
      mode,
      seed,
      startedAt,
      contract: { ...event.run.contract, ...defined({ path }) },
    };
    ledger = openFileLedger(folder, run, warn);
  };
  const finish = async (): Promise<void> => {
    if (run === undefined) return;
    await ledger?.finish(leftAny);
    if (judges && summary !== undefined)
      await rememberRun(folder, run, { findings, summary, warn });
  };
  // The run tells its name before it writes anything.
  const cleanupLedger: CleanupLedger = {
    intend: (write) => ledger?.intend(write),
    settle: (settled) => ledger?.settle(settled),
  };
  return { reporter: { take, finish, discard: () => void ledger?.finish(true) }, cleanupLedger };
}
