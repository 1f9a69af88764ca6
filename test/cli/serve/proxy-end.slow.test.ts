import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { things } from '../../proxy/workshop.ts';
import { programEnvironment } from '../program-environment.ts';

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-proxy-'));
  writeFileSync(join(folder, 'things.json'), JSON.stringify(things));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a proxy, sends it SIGTERM when it runs, and returns its report and the seconds. */
async function ended(
  command: readonly string[],
  times = 1,
): Promise<{ readonly report: string; readonly seconds: number; readonly code: unknown }> {
  const report = join(folder, 'report.json');
  const words = ['proxy', 'http://127.0.0.1:9/v1', join(folder, 'things.json'), '--port', '0'];
  const child = spawn(process.execPath, [bin, ...words, '-r', `json=${report}`, ...command], {
    cwd: folder,
    env: programEnvironment({ VOUCH_STATE_DIR: join(folder, 'state') }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (text) => void (String(text).includes('Proxy') && resolve()));
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = performance.now();
  for (let count = 0; count < times; count += 1) {
    child.kill('SIGTERM');
    // A timer of a busy machine may be so late that the process has ended meanwhile.
    const next = performance.now() + 1;
    while (performance.now() < next);
  }
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - began) / 1_000;
  return { report: readFileSync(report, 'utf8'), seconds, code };
}

test('the report is the last that is printed, behind the line of the last exchange', async () => {
  const answer = (response: ServerResponse): ServerResponse =>
    response.setHeader('content-type', 'application/json').end('[]');
  const service = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}/v1`;
  const script = 'await fetch(process.env.VOUCH_PROXY_URL + "/things")';
  const words = ['proxy', url, join(folder, 'things.json'), '--port', '0', '--'];
  const ask = [process.execPath, '--input-type=module', '-e', script];
  // One file for both streams, as on a terminal.
  const file = join(folder, 'terminal.txt');
  const terminal = openSync(file, 'w');
  const child = spawn(process.execPath, [bin, ...words, ...ask], {
    cwd: folder,
    env: programEnvironment({ VOUCH_STATE_DIR: join(folder, 'state') }),
    stdio: ['ignore', terminal, terminal],
  });
  await once(child, 'exit');
  closeSync(terminal);
  service.close();
  const printed = readFileSync(file, 'utf8');
  expect(printed).toMatch(/GET +\/v1\/things/);
  expect(printed.indexOf('GET')).toBeLessThan(printed.indexOf('\nPassed. '));
  expect(printed).toMatch(/\n {2}next +Nothing to fix[^\n]*\n*$/);
});

test('SIGTERM ends a proxy with its report', async () => {
  const { report, code } = await ended([]);
  expect(JSON.parse(report)).toMatchObject({ summary: { verdict: 'inconclusive' } });
  expect(code).toBe(3);
});

test('a signal that a process group delivers twice is one signal', async () => {
  const { report, code } = await ended([], 2);
  expect(JSON.parse(report)).toMatchObject({ summary: { verdict: 'inconclusive' } });
  expect(code).toBe(3);
});

test('a command that ignores SIGTERM is ended, and the report written, within 10 s', async () => {
  const { report, seconds } = await ended([
    '--',
    'sh',
    '-c',
    'trap "" TERM; while :; do sleep 0.1; done',
  ]);
  expect(JSON.parse(report)).toMatchObject({ summary: { verdict: 'inconclusive' } });
  expect(seconds).toBeLessThan(10);
}, 30_000);
