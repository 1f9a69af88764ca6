import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackage } from './published.ts';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Milliseconds from spawning the process to the line in which it named its URL. */
  readonly startedMs: number;
  readonly spawnedAt: number;
  /** Resident memory in MiB, as the system counts it. */
  residentMiB(): number;
  /**
   * Seconds of processor that it has used so far, on all its threads, its own and the system's for
   * it.
   */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Starts a program under this Node and waits for the line in which it names its URL. Rejects where
 * it ends before.
 */
export async function startServer(
  program: string,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const url = await readUrl(child, program);
  // What a server prints must be read, or it waits for a reader.
  child.stdout.resume();
  child.stderr.resume();
  return {
    url,
    startedMs: performance.now() - spawnedAt,
    spawnedAt,
    residentMiB: () => residentOf(child.pid),
    cpuSeconds: () => cpuSecondsOf(child.pid),
    stop: () => stop(child),
  };
}

/** The mock as a user of the published package starts it. */
export function startVouch(args: readonly string[]): Promise<ServerProcess> {
  return startServer(join(publishedPackage(), 'bin/vouch.js'), [
    'mock',
    ...args,
    '--port',
    '0',
    '--quiet',
  ]);
}

/** A program of this folder. */
export function programHere(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

const urlInLine = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+[^\s'"]*/;

function readUrl(child: ChildProcess, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const url = urlInLine.exec(line)?.[0];
        if (url !== undefined) resolve(url.replace(/\/$/, ''));
      });
    }
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(
        new Error(`${program} ended with ${String(code)} before it listened:\n${said.join('\n')}`),
      ),
    );
  });
}

/** The resident memory of a process in MiB, as Linux counts it. */
export function residentOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/**
 * The processor time of all threads of a process in seconds, as the scheduler of Linux counts it:
 * in nanoseconds, where `/proc/PID/stat` has hundredths of a second.
 */
export function cpuSecondsOf(pid: number | undefined): number {
  const tasks = `/proc/${String(pid)}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Ends a process: asked to first, made to after seven seconds. */
export function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 7_000).unref();
  });
}
