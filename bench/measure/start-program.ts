import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { withoutReports } from '../rivals/install.ts';
import { firstAnswer } from './first-answer.ts';
import { cpuSecondsOf, residentOf, stop, type ServerProcess } from './server-process.ts';

/**
 * How a server that does not say where it listens is started, and how it is asked whether it is
 * ready.
 */
export interface ProgramToStart {
  readonly program: string;
  readonly args: readonly string[];
  /** The port on 127.0.0.1 that it must use. */
  readonly port: number;
  /** What answers 200 once it is ready. */
  readonly readyPath: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly withinMs: number;
}

/** A port that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}

/**
 * Starts a program and sends a request every 10 ms until one is answered with 200: `startedMs` is
 * the time to the first 200. Rejects if the program ends before that, or if the time is over; then
 * the program is stopped.
 */
export async function startProgram(expected: ProgramToStart): Promise<ServerProcess> {
  const spawnedAt = performance.now();
  const child = spawn(expected.program, [...expected.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withoutReports(),
  });
  const said = lastLines(child);
  try {
    await untilReady(child, expected, spawnedAt + expected.withinMs);
  } catch (error) {
    await stop(child);
    const lines = said();
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}${lines === '' ? '' : `: ${lines}`}`, { cause: error });
  }
  const startedMs = performance.now() - spawnedAt;
  return {
    url: `http://127.0.0.1:${String(expected.port)}`,
    startedMs,
    spawnedAt,
    residentMiB: () => residentOf(child.pid),
    cpuSeconds: () => cpuSecondsOf(child.pid),
    stop: () => stop(child),
  };
}

async function untilReady(
  child: ChildProcess,
  { port, readyPath, headers = {}, withinMs }: ProgramToStart,
  deadline: number,
): Promise<void> {
  const url = `http://127.0.0.1:${String(port)}${readyPath}`;
  let last = '';
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`ended with ${String(code)} before it was ready`)),
    );
  });
  while (performance.now() < deadline) {
    // A server that accepts and does not answer must not outwait the deadline.
    const answered = Promise.race([
      firstAnswer(url, headers),
      wait(deadline - performance.now(), undefined, { ref: false }).then(() =>
        Promise.reject(new Error('no answer')),
      ),
    ]);
    const outcome = await Promise.race([
      answered.then(
        () => 'ready' as const,
        (error: unknown) => String(error),
      ),
      ended,
    ]);
    if (outcome === 'ready') return;
    last = outcome;
    await Promise.race([wait(10), ended]);
  }
  throw new Error(
    `not ready after ${String(Math.round(withinMs / 1000))} s ` +
      `(${last.includes('ECONNREFUSED') ? 'nothing listens' : last})`,
  );
}

/**
 * What a server prints must be read, or it waits for a reader; the last of it says why it did not
 * start.
 */
function lastLines(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (kept = (kept + chunk.toString()).slice(-2_000)));
  return () =>
    kept
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(-2)
      .join(' ')
      .slice(0, 300);
}
