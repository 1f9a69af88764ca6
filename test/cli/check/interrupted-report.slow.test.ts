import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { libraryText } from '../../check/fixture/library-contract.ts';
import { startLibrary, type Library } from '../../check/fixture/library-server.ts';
import { programEnvironment } from '../program-environment.ts';

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url));

let folder = '';
let library: Library;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-interrupted-'));
  writeFileSync(join(folder, 'library.yaml'), libraryText);
  library = await startLibrary({ variant: 'slow' });
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true });
});

test('a run that is stopped at once leaves no temporary file of a report', async () => {
  const reports = ['blob', 'html', 'json'].flatMap((id) => ['-r', `${id}=${join(folder, id)}`]);
  const words = ['check', library.url, join(folder, 'library.yaml'), ...reports];
  const env = programEnvironment({
    VOUCH_TOKEN: library.token,
    VOUCH_STATE_DIR: join(folder, 'state'),
  });
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: 'ignore' });
  const before = library.size();
  const seen = new Set<string>();
  // The first signal asks for an orderly end, the following ones for one at once.
  const watch = setInterval(() => {
    for (const name of readdirSync(folder)) seen.add(name);
    if (library.size() > before) child.kill('SIGTERM');
  }, 2);
  await once(child, 'exit');
  clearInterval(watch);
  // One for the report as it stands before the clean-up, and one for the whole.
  expect([...seen].filter((name) => name.endsWith('.part'))).toHaveLength(6);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a run that is killed while it deletes its records leaves its report', async () => {
  const service = await startThings({ deletionMs: 300 });
  const file = join(folder, 'report.json');
  writeFileSync(join(folder, 'things.yaml'), thingsText);
  const words = ['check', service.url, join(folder, 'things.yaml'), '-r', `json=${file}`];
  const env = programEnvironment({ VOUCH_STATE_DIR: join(folder, 'state') });
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const runs = join(folder, 'state', 'runs');
  const keptRuns = (): string[] =>
    existsSync(runs) ? readdirSync(runs).filter((name) => name.endsWith('.json')) : [];
  const isSecured = (): boolean => existsSync(file) && keptRuns().length > 0;
  await vi.waitUntil(isSecured, { timeout: 60_000, interval: 10 });
  child.kill('SIGKILL');
  await exit;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report.summary.verdict).toBe('passed');
  expect(report.left).toEqual([
    expect.objectContaining({
      operation: 'POST /things',
      code: 'not-deleted-yet',
    }),
  ]);
  expect(report.left[0].count).toBeGreaterThan(10);
  // What `vouch replay` reads, also where the report went to a terminal.
  const [kept = ''] = keptRuns();
  expect(JSON.parse(readFileSync(join(runs, kept), 'utf8')).summary.verdict).toBe('passed');
  await service.close();
});

const thing =
  '{ type: object, required: [id, name], properties: { id: { type: string }, ' +
  'name: { type: string } } }';
const body = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const thingsText = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post: { requestBody: { required: true, ${body(
      '{ type: object, required: [name], properties: { name: { type: string } } }',
    )} }, responses: { '201': { description: made, ${body(thing)} }, '400': { description: bad },
      '415': { description: other } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, ${body(thing)} }, '404': { description: no } } }
    delete: { responses: { '204': { description: gone }, '404': { description: no } } }
`;

/** A service whose deletions take long. */
async function startThings({ deletionMs }: { readonly deletionMs: number }): Promise<{
  readonly url: string;
  readonly close: () => Promise<void>;
}> {
  const things = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (status: number, value?: unknown): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(value === undefined ? '' : JSON.stringify(value));
      };
      const id = request.url?.split('/')[2];
      if (request.method === 'POST' && id === undefined) {
        if (request.headers['content-type'] !== 'application/json') return answer(415);
        const name = nameIn(Buffer.concat(chunks).toString());
        if (name === undefined) return answer(400);
        const made = { id: randomUUID(), name };
        things.set(made.id, made);
        return answer(201, made);
      }
      if (id === undefined || !things.has(id)) return answer(id === undefined ? 405 : 404);
      if (request.method === 'GET') return answer(200, things.get(id));
      if (request.method !== 'DELETE') return answer(405);
      setTimeout(() => answer(things.delete(id) ? 204 : 404), deletionMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function nameIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isThing = typeof value === 'object' && value !== null && 'name' in value;
    return isThing && typeof value.name === 'string' ? value.name : undefined;
  } catch {
    return undefined;
  }
}
