import { createServer } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeConsoleServices } from '../../src/library/console-services.ts';
import { startMock } from '../../src/library/start-mock.ts';
import { gateText } from '../check/fixture/gate-server.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-console-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** What the console sends to the only target of a configuration, by the operation's id. */
async function carried(target: string): Promise<Record<string, unknown>> {
  await writeFile(join(folder, 'gate.yaml'), gateText(['/notes', '/reports', '/profile']));
  const config = join(folder, 'vouch.config.yaml');
  await writeFile(
    config,
    `contract: gate.yaml\ntargets:\n  there: { url: 'http://127.0.0.1:1', ${target} }\n`,
  );
  const mock = await startMock({ config, port: 0 });
  const [there] = makeConsoleServices(() => mock.prepared).others?.() ?? [];
  const entries = mock.contract.operations.map((operation) => [
    operation.id,
    there?.addressOf(operation)?.headers,
  ]);
  await mock.close();
  return Object.fromEntries(entries) as Record<string, unknown>;
}

test('the console sends a token to its own scheme, and headers to all operations', async () => {
  vi.stubEnv('ONE', 'bearer-token');
  vi.stubEnv('TWO', 'admin-key');
  vi.stubEnv('VOUCH_TOKEN', 'session-token');
  expect(
    await carried(
      'auth: { bearer: env:ONE, adminKey: env:TWO }, headers: { X-Tenant: ' +
        'acme, X-Edge: env:UNSET, Cookie: env:TWO }',
    ),
  ).toEqual({
    listNotes: [
      ['Authorization', 'Bearer bearer-token'],
      ['X-Tenant', 'acme'],
      ['Cookie', 'admin-key='],
    ],
    getReport: [
      ['X-Admin-Key', 'admin-key'],
      ['X-Tenant', 'acme'],
      ['Cookie', 'admin-key='],
    ],
    getProfile: [
      ['X-Tenant', 'acme'],
      ['Cookie', 'sid=session-token; admin-key='],
    ],
  });
});

test('the console sends a token that could be for several schemes to none', async () => {
  vi.stubEnv('VOUCH_TOKEN', 'some-token');
  expect(await carried('mode: read-only')).toEqual({
    listNotes: [],
    getReport: [],
    getProfile: [],
  });
});

test('scenarios are saved in the folder of the user, never in the package', async () => {
  await mkdir(join(folder, 'mine'));
  await writeFile(join(folder, 'gate.yaml'), gateText(['/notes']));
  const config = join(folder, 'vouch.config.yaml');
  await writeFile(config, 'contract: gate.yaml\nmock: { scenarios: mine }\n');
  for (const [options, isOwn] of [
    [{ config }, true],
    [{ demo: true }, false],
  ] as const) {
    const mock = await startMock({ ...options, port: 0 });
    const folderOf = makeConsoleServices(() => mock.prepared).scenarioFiles?.folder();
    expect(folderOf === undefined ? false : resolve(folderOf) === join(folder, 'mine')).toBe(isOwn);
    await mock.close();
  }
});

test('a check of the console leaves a report that only its id leads to', async () => {
  const contract = join(folder, 'gate.yaml');
  await writeFile(contract, gateText(['/notes']));
  const mock = await startMock({ contract, config: false });
  try {
    // The mock itself is sent its own key.
    vi.stubEnv('VOUCH_TOKEN', 'of-another-server');
    const response = await fetch(`${mock.controlUrl}/check`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${mock.controlToken}` },
      body: JSON.stringify({ itself: true, mode: 'read-only' }),
    });
    const last = (await response.text()).trim().split('\n').at(-1) ?? '';
    const { report, verdict } = JSON.parse(last) as Readonly<Record<'report' | 'verdict', string>>;
    expect(verdict).toBe('passed');
    expect(report).toMatch(/^[\w-]{24}$/);
    const page = await fetch(`${mock.controlUrl}/reports/${report}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toMatch(/^<!doctype html>[^]*<\/html>\s*$/);
    expect((await fetch(`${mock.controlUrl}/reports/${report.slice(1)}x`)).status).toBe(404);
  } finally {
    await mock.close();
  }
});

test.each([
  ['of a contract that asks for none', 'security: []\n', null, false],
  ['of one that asks for a key', '', 'demo-key', true],
])('a check sends a credential as the operations ask: %s', async (_what, more, key, isSent) => {
  vi.stubEnv('VOUCH_TOKEN', 'of-another-server');
  const contract = join(folder, 'wells.yaml');
  await writeFile(contract, wells(more === '' ? 'security: [{ key: [] }]\n' : more));
  const mock = await startMock({ contract, config: false });
  const access = makeConsoleServices(() => mock.prepared).checkAccess?.();
  await mock.close();
  expect(access).toMatchObject({ key, fromEnvironment: isSent });
});

test('a finding of the console says at how many operations it is', async () => {
  const contract = join(folder, 'wells.yaml');
  await writeFile(contract, wells('security: []\n'));
  const mock = await startMock({ contract, config: false });
  const server = createServer((_request, response) => response.writeHead(418).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const check = makeConsoleServices(() => mock.prepared).check?.(
    { url: `http://127.0.0.1:${String(port)}`, mode: 'read-only' },
    new AbortController().signal,
  );
  const places: string[] = [];
  for await (const news of check ?? [])
    if (news.type === 'finding') places.push(news.finding.operation);
  await mock.close();
  await new Promise((done) => server.close(done));
  expect(places.join('\n')).toMatch(/^GET \/\w+ and \d more operations?$/m);
});

function wells(security: string): string {
  const path = (name: string): string =>
    `  /${name}: { get: { operationId: ${name}, responses: { '200': { description: all } } } }`;
  return `openapi: 3.1.0
info: { title: Wells, version: '1' }
${security}paths:
${['wells', 'pumps', 'pipes', 'taps', 'tanks'].map(path).join('\n')}
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;
}
