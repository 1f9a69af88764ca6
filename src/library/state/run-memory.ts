import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunInfo } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { writeWholeFile } from '../../files/file-writer.ts';
import { defined } from '../../json/defined.ts';

/** What is remembered of a finding. */
export type KnownFinding = Pick<
  Finding,
  'id' | 'check' | 'severity' | 'operation' | 'message' | 'replay'
>;

/**
 * A run and its findings, as the state folder keeps them: the members are those of the reporter
 * json.
 */
export interface RememberedRun {
  readonly version: 1;
  readonly run: KnownRun;
  readonly findings: readonly KnownFinding[];
  /** What the run came to, and why. */
  readonly summary: Pick<RunSummary, 'verdict' | 'reason'>;
}

/** What there is to remember of a run. */
export interface RunToRemember {
  readonly findings: readonly Finding[];
  readonly summary: Pick<RunSummary, 'verdict' | 'reason'>;
  readonly warn: (message: string) => void;
}

const maxRuns = 20;

/**
 * Remembers the findings of a run, and forgets those of all but the last 20. What goes wrong is
 * told to `warn`, and no failure.
 */
export async function rememberRun(
  folder: string,
  run: KnownRun,
  { findings, summary: { verdict, reason }, warn }: RunToRemember,
): Promise<void> {
  const runs = join(folder, 'runs');
  const kept: RememberedRun = {
    version: 1,
    run,
    findings: findings.map(({ id, check, severity, operation, message, replay }) => ({
      id,
      check,
      severity,
      operation,
      message,
      ...defined({ replay }),
    })),
    summary: { verdict, reason },
  };
  try {
    await mkdir(runs, { recursive: true, mode: 0o700 });
    const file = join(runs, `${runFileName(run)}.json`);
    // Under its name it is whole or not there: another process may be reading.
    writeWholeFile(file, JSON.stringify(kept), { mode: 0o600 });
    const old = (await runNames(runs)).slice(0, -maxRuns);
    await Promise.all(old.map((name) => rm(join(runs, name), { force: true })));
  } catch (error) {
    const way = 'vouch replay will need a report (--reporter json=report.json)';
    warn(`The findings cannot be remembered in ${runs} (${reasonOf(error)}): ${way}.`);
  }
}

/** The code of the system behind an error, where there is one. */
function reasonOf(error: unknown): string {
  const cause = error instanceof VouchError ? error.cause : error;
  return codeOf(cause) ?? String(error);
}

async function runNames(runs: string): Promise<string[]> {
  return (await readdir(runs).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
}

/** The texts of the runs that are remembered, the latest first. */
export async function readRememberedRuns(
  folder: string,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const runs = join(folder, 'runs');
  const files = (await runNames(runs)).toReversed().map((name) => join(runs, name));
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(file, 'utf8').catch(() => '') })),
  );
}

/** A run as the state folder knows it. */
export interface KnownRun extends Pick<
  RunInfo,
  'id' | 'target' | 'servers' | 'mode' | 'seed' | 'startedAt'
> {
  readonly contract: RunInfo['contract'] & {
    /** The document's absolute path, where it was read from a file. */
    readonly path?: string;
  };
}

/**
 * The name of a run's files: by time, then by the run's id, so that sorting them by name is sorting
 * them by age.
 */
export function runFileName({ startedAt, id }: Pick<KnownRun, 'startedAt' | 'id'>): string {
  return `${startedAt.replaceAll(/[^0-9]/g, '').slice(0, 17)}-${id.replaceAll(/[^\w-]/g, '')}`;
}

/**
 * The folder in which vouch remembers its runs on this machine: `VOUCH_STATE_DIR`, else where the
 * system keeps such things (XDG Base Directory Specification; LOCALAPPDATA on Windows). Undefined
 * where the environment names no home.
 */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  const { VOUCH_STATE_DIR: told, XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = env;
  if (isSet(told)) return told;
  if (platform === 'win32') return isSet(local) ? join(local, 'vouch') : undefined;
  if (isSet(state)) return join(state, 'vouch');
  return isSet(home) ? join(home, '.local', 'state', 'vouch') : undefined;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
