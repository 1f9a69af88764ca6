import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeContractText } from '../../check/fixture/large-contract.ts';
import { programEnvironment } from '../program-environment.ts';

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url));
let folder = '';
let server: Server;
let url = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-interrupt-'));
  await writeFile(join(folder, 'large.json'), largeContractText(200));
  server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

/** The real command line. */
function run(words: readonly string[]): {
  child: ChildProcess;
  ended: Promise<number | NodeJS.Signals | null>;
} {
  const env = programEnvironment({ VOUCH_STATE_DIR: join(folder, 'state') });
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: 'ignore', cwd: folder });
  return {
    child,
    ended: new Promise((resolve) => child.once('exit', (code, by) => resolve(code ?? by))),
  };
}

/** Sends the command line a signal at a moment, and returns its exit code or signal. */
async function interrupted(
  words: readonly string[],
  signal: NodeJS.Signals,
  moment: () => Promise<unknown>,
): Promise<number | NodeJS.Signals | null> {
  const { child, ended } = run(words);
  await moment();
  child.kill(signal);
  return ended;
}

/** A signal that comes before the program has loaded ends it as the system ends any program. */
const ends = [130, 'SIGINT', 'SIGTERM'];

describe('a run of a large contract', () => {
  test.each([
    ['SIGINT', 300],
    ['SIGTERM', 1_000],
  ] as const)(
    'is ended by %s after %i ms',
    async (signal, afterMs) => {
      const code = await interrupted(['check', url, 'large.json'], signal, () =>
        setTimeout(afterMs),
      );
      expect(ends).toContain(code);
    },
    60_000,
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'is ended by %s at its first request',
    async (signal) => {
      const code = await interrupted(['check', url, 'large.json'], signal, () =>
        once(server, 'request'),
      );
      expect(code).toBe(130);
    },
    60_000,
  );
});

test.each([
  ['a plan that is printed', ['--plan']],
  ['a proof', ['--prove']],
  ['a comparison', ['--against', 'http://127.0.0.1:9']],
])(
  'SIGINT ends %s',
  async (_name, words) => {
    const target = words[0] === '--prove' ? ['large.json'] : [url, 'large.json'];
    const code = await interrupted(['check', ...target, ...words], 'SIGINT', () =>
      setTimeout(2_000),
    );
    expect(code).toBe(130);
  },
  60_000,
);
