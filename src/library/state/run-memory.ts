import { wordsIn } from '../../words-in.ts';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunInfo } from '../../check/model/event.ts';
import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { writeWholeFile } from '../../files/file-writer.ts';
import { pick } from '../../json/value.ts';

/** The stored parts of a finding. */
export type KnownFinding = Pick<
  Finding,
  'id' | 'check' | 'severity' | 'operation' | 'message' | 'replay'
>;

/** A stored run with its findings, in the format of the reporter json. */
export interface RememberedRun {
  readonly version: 1;
  readonly run: KnownRun;
  readonly findings: readonly KnownFinding[];
  /** The verdict and its reason. */
  readonly summary: Pick<RunSummary, 'verdict' | 'reason'>;
}

/** The parts of a run that are stored. */
export interface RunToRemember {
  readonly findings: readonly Finding[];
  readonly summary: Pick<RunSummary, 'verdict' | 'reason'>;
  readonly warn: (message: string) => void;
}

const maxRuns = 20;

/**
 * Stores the findings of a run, and deletes all but the last 20 runs. Failures are passed to
 * `warn`.
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
    findings: findings.map((finding) =>
      pick(finding, wordsIn('id check severity operation message replay')),
    ),
    summary: { verdict, reason },
  };
  try {
    await mkdir(runs, { recursive: true, mode: 0o700 });
    const file = join(runs, `${runFileName(run)}.json`);
    // Written atomically: another process may be reading.
    writeWholeFile(file, JSON.stringify(kept), { mode: 0o600 });
    const old = (await runNames(runs)).slice(0, -maxRuns);
    await Promise.all(old.map((name) => rm(join(runs, name), { force: true })));
  } catch (error) {
    const way = 'vouch replay will need a report (--reporter json=report.json)';
    warn(`The findings cannot be remembered in ${runs} (${reasonOf(error)}): ${way}.`);
  }
}

/** The system error code of an error, if it has one. */
function reasonOf(error: unknown): string {
  const cause = error instanceof VouchError ? error.cause : error;
  return codeOf(cause) ?? String(error);
}

async function runNames(runs: string): Promise<string[]> {
  return (await readdir(runs).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
}

/** The texts of the stored runs, latest first. */
export async function readRememberedRuns(
  folder: string,
): Promise<{ readonly file: string; readonly text: string }[]> {
  const runs = join(folder, 'runs');
  const files = (await runNames(runs)).toReversed().map((name) => join(runs, name));
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(file, 'utf8').catch(() => '') })),
  );
}

/** A run in the state folder. */
export interface KnownRun extends Pick<
  RunInfo,
  'id' | 'target' | 'servers' | 'mode' | 'seed' | 'startedAt'
> {
  /** The folder in which the run was started; absent in records of older versions. */
  readonly folder?: string;
  readonly contract: RunInfo['contract'] & {
    /** The absolute path of the document, if it was read from a file. */
    readonly path?: string | undefined;
    /** The absolute paths of the Overlays that were applied to it. */
    readonly overlays?: readonly string[] | undefined;
  };
}

/** The file name of a run: its time, then its id, so that names sort by age. */
export function runFileName({ startedAt, id }: Pick<KnownRun, 'startedAt' | 'id'>): string {
  return `${startedAt.replaceAll(/[^0-9]/g, '').slice(0, 17)}-${id.replaceAll(/[^\w-]/g, '')}`;
}

/**
 * The folder that stores runs on this machine: `VOUCH_STATE_DIR`, otherwise the state folder of the
 * system (XDG Base Directory Specification; LOCALAPPDATA on Windows). Undefined if the environment
 * names no home folder.
 */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  const { VOUCH_STATE_DIR: stateDir, XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = env;
  if (isSet(stateDir)) return stateDir;
  if (platform === 'win32') return isSet(local) ? join(local, 'vouch') : undefined;
  if (isSet(state)) return join(state, 'vouch');
  return isSet(home) ? join(home, '.local', 'state', 'vouch') : undefined;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
