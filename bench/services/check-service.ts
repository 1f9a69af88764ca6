import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackage } from '../measure/published.ts';
import { withoutReports } from '../rivals/install.ts';
import type { LeftEntry, ReportOperation } from './match-left.ts';
import type { Examples } from './service.ts';

/** What the benchmark reads of the JSON report. */
export interface Report {
  readonly summary: {
    readonly verdict: string;
    readonly reason: string;
    readonly requests: number;
    readonly operations: readonly (ReportOperation & {
      readonly statuses: Readonly<Record<string, number>>;
    })[];
  };
  readonly findings: readonly {
    readonly check: string;
    readonly severity: string;
    readonly operation: ReportOperation;
    readonly message: string;
    readonly curl: readonly string[];
  }[];
  readonly left: readonly LeftEntry[];
}

/** One run of `vouch check`. */
export interface CheckRun {
  /** Missing where the run wrote no report, or its time was over. */
  readonly report?: Report;
  readonly exitCode: number | 'cut off';
  readonly seconds: number;
}

/** What to check, how, and where the files of the run go. */
export interface CheckOptions {
  readonly url: string;
  readonly document: string;
  readonly mode: string;
  /** Written into the configuration of the run, as `check.examples`. */
  readonly examples?: Examples;
  readonly token?: string;
  readonly folder: string;
  readonly limitSeconds: number;
  /** More flags of `vouch check`. */
  readonly flags: readonly string[];
}

/**
 * Runs `vouch check` of the published package in a folder of its own, with its reports beside it.
 */
export async function checkService({
  url,
  document,
  mode,
  examples,
  token,
  folder,
  limitSeconds,
  flags,
}: CheckOptions): Promise<CheckRun> {
  const file = join(folder, 'report.json');
  // JSON is YAML.
  const config = JSON.stringify({ check: { examples } });
  if (examples !== undefined) writeFileSync(join(folder, 'vouch.config.yaml'), config);
  const reporters = [
    '--reporter',
    'pretty',
    '--reporter',
    `json=${file}`,
    '--reporter',
    `har=${join(folder, 'run.har')}`,
  ];
  const args = [
    join(publishedPackage(), 'bin/vouch.js'),
    'check',
    url,
    document,
    '--mode',
    mode,
    '--seed',
    'bench',
    ...reporters,
    ...flags,
  ];
  const env = {
    ...withoutReports(),
    VOUCH_STATE_DIR: join(folder, 'state'),
    ...(token === undefined ? {} : { VOUCH_TOKEN: token }),
  };
  const began = performance.now();
  const exitCode = await runToEnd(args, { env, folder, limitMs: limitSeconds * 1_000 });
  const seconds = (performance.now() - began) / 1_000;
  // The report is vouch's own; its schema is held by vouch's tests.
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  return { exitCode, seconds, ...(report === undefined ? {} : { report }) };
}

function runToEnd(
  args: readonly string[],
  {
    env,
    folder,
    limitMs,
  }: { readonly env: NodeJS.ProcessEnv; readonly folder: string; readonly limitMs: number },
): Promise<number | 'cut off'> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(folder, 'check.log'));
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    let cutOff = false;
    const timer = setTimeout(() => {
      cutOff = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      log.end();
      resolve(cutOff ? 'cut off' : (code ?? -1));
    });
  });
}
