import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeContractText } from '../../check/fixture/large-contract.ts';

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url));
/** The promise is 2 s. What others do on the machine does not count, where the system says so. */
const mostWorkMs = 3_000;
/** To plan this document takes longer than this on any machine that is as busy. */
const patienceMs = 30_000;

let folder = '';
let server: Server;
let url = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-interrupt-'));
  await writeFile(join(folder, 'large.json'), largeContractText(400));
  server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

interface End {
  readonly code: number | NodeJS.Signals | null;
  readonly tookMs: number;
  /** The processor time that it worked after the signal; 0 where the system does not say. */
  readonly workedMs: number;
}

/**
 * The processor time of a process in milliseconds, as Linux counts it: in hundredths of a second.
 */
function workOf({ pid }: ChildProcess): number | undefined {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** The real command line. */
function run(words: readonly string[]): { child: ChildProcess; ended: Promise<End['code']> } {
  const env = { PATH: process.env['PATH'], VOUCH_STATE_DIR: join(folder, 'state') };
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: 'ignore', cwd: folder });
  return {
    child,
    ended: new Promise((resolve) => child.once('exit', (code, by) => resolve(code ?? by))),
  };
}

/** Sends the command line a signal after a while, and says how and when it ended. */
async function interrupted(
  words: readonly string[],
  signal: NodeJS.Signals,
  afterMs: number,
): Promise<End> {
  const { child, ended } = run(words);
  await setTimeout(afterMs);
  const [sent, before] = [performance.now(), workOf(child) ?? 0];
  let after = before;
  const watch = setInterval(() => (after = workOf(child) ?? after), 20);
  child.kill(signal);
  const code = await ended;
  clearInterval(watch);
  return { code, tookMs: performance.now() - sent, workedMs: after - before };
}

/** A signal that comes before the program has loaded ends it as the system ends any program. */
const ends = [130, 'SIGINT', 'SIGTERM'];

describe.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a run of a large contract within seconds',
  (signal) => {
    test.each([300, 1_000, 2_000, 3_500])(
      'when it comes after %i ms',
      async (afterMs) => {
        const { code, tookMs, workedMs } = await interrupted(
          ['check', url, 'large.json'],
          signal,
          afterMs,
        );
        expect(afterMs < 2_000 ? ends : [130]).toContain(code);
        expect(workedMs).toBeLessThan(mostWorkMs);
        expect(tookMs).toBeLessThan(patienceMs);
      },
      60_000,
    );
  },
);

test.each([
  ['a plan that is printed', ['--plan']],
  ['a proof', ['--prove']],
  ['a comparison', ['--against', 'http://127.0.0.1:9']],
])(
  'a signal ends %s within seconds',
  async (_name, words) => {
    const target = words[0] === '--prove' ? ['large.json'] : [url, 'large.json'];
    const { code, tookMs, workedMs } = await interrupted(
      ['check', ...target, ...words],
      'SIGINT',
      2_000,
    );
    expect(code).toBe(130);
    expect(workedMs).toBeLessThan(mostWorkMs);
    expect(tookMs).toBeLessThan(patienceMs);
  },
  60_000,
);
