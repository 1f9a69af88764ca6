import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedPackage } from '../measure/published.ts';

/** What a whole process came to. */
export interface ProcessRun {
  /** From its start to its end. */
  readonly milliseconds: number;
  /** The most memory that was resident at a time, as the system counts it. */
  readonly residentMiB: number;
  readonly exitCode: number;
}

/** What is read of the JSON report of a check. */
export interface CheckRun extends ProcessRun {
  readonly requests: number;
  readonly verdict: string;
  readonly reason: string;
}

/** Writes the memory at exit to a descriptor that is otherwise unused. */
const tellMemory =
  "data:text/javascript,import{writeSync}from'node:fs';process.on('exit'," +
  '()=>writeSync(3,String(process.resourceUsage().maxRSS)))';

/** Runs a program under this Node to its end. */
export function runProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessRun> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, ['--import', tellMemory, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    let printed = '';
    child.stdio[3]?.on('data', (part: Buffer) => (printed += part.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        milliseconds: performance.now() - began,
        residentMiB: Number(printed) / 1024,
        exitCode: code ?? -1,
      }),
    );
  });
}

/** `vouch check` of the published package, as a user runs it, with the report in a file. */
export async function runCheckProcess(
  url: string,
  contract: readonly string[],
  { token, args = [] }: { readonly token: string; readonly args?: readonly string[] },
): Promise<CheckRun> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-check-'));
  const report = join(folder, 'report.json');
  try {
    const run = await runProcess(
      [
        join(publishedPackage(), 'bin/vouch.js'),
        'check',
        url,
        ...contract,
        '--seed',
        'bench',
        '--reporter',
        `json=${report}`,
        ...args,
      ],
      { VOUCH_TOKEN: token },
    );
    // The report is vouch's own; what is read of it is held by its schema.
    const { summary } = JSON.parse(readFileSync(report, 'utf8')) as {
      summary: { requests: number; verdict: string; reason: string };
    };
    return { ...run, requests: summary.requests, verdict: summary.verdict, reason: summary.reason };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
