import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeBanner } from '../../src/cli/serve/banner.ts';
import { readStoreFlags } from '../../src/cli/serve/serve-options.ts';
import { openStore, type StoreChoice } from '../../src/library/open-store.ts';
import type { MockConfig } from '../../src/config/config.ts';
import { type RunningMock, startMock } from '../../src/library/start-mock.ts';
import { noRedis, startRedis } from '../store/redis-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function refusalOf(choice: StoreChoice, mock: MockConfig = {}): Promise<string> {
  try {
    const { store } = await openStore(choice, { mock }, 'a contract');
    await store.close();
    return 'none';
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return `${code} ${message} ${hint}`.replaceAll(folder, 'FOLDER');
  }
}

const key = { Authorization: 'Bearer demo-key' };

async function call(
  mock: RunningMock,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown; retryAfter: string | null }> {
  const response = await fetch(`${mock.url}${path}`, {
    method,
    headers: { ...key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    retryAfter: response.headers.get('retry-after'),
  };
}

/** A contract of its own, so that nothing here depends on the bundled one. */
const contract = join(folder, 'notes.yaml');
writeFileSync(
  contract,
  `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Note' } } } } } } }
    post: { operationId: createNote, requestBody: { required: true, content: { application/json: {
        schema: { $ref: '#/components/schemas/Note' } } } }, responses: { '201': {
        description: Added, content: { application/json: { schema: {
        $ref: '#/components/schemas/Note' } } } } } }
  /notes/{noteId}:
    get: { operationId: readNote, parameters: [{ name: noteId, in: path, required: true, schema: {
        type: integer } }], responses: { '200': { description: One, content: { application/json: {
        schema: { $ref: '#/components/schemas/Note' } } } }, '404': { description: None } } }
components: { schemas: { Note: { type: object, required: [text], properties: { id: {
    type: integer, format: int64, readOnly: true }, text: { type: string } } } } }
`,
);
const fixtures = new Map([['notes', [{ id: '1', record: { id: 1, text: 'first' } }]]]);

describe('a mock with a file', () => {
  test('has its records after a restart, and never repeats an identifier', async () => {
    const persist = join(folder, 'notes.db');
    const first = await startMock({ contract, fixtures, persist });
    expect(await call(first, 'POST', '/notes', { text: 'second' })).toMatchObject({
      status: 201,
      body: { id: 2 },
    });
    expect(first.prepared.storePlace).toBe(persist);
    expect(
      writeBanner({
        mock: first,
        consoleLink: '',
        startLink: '',
        color: false,
        width: 80,
        options: { host: '127.0.0.1', prism: false, auth: 'known', quiet: false },
      }),
    ).toContain(`records   ${persist}\n`);
    await expect(startMock({ contract, fixtures, persist })).rejects.toMatchObject({
      code: 'store-unusable',
      message: expect.stringContaining('another process has it open') as unknown,
    });
    await first.close();
    const second = await startMock({ contract, fixtures, persist });
    expect(await call(second, 'GET', '/notes/2')).toMatchObject({
      status: 200,
      body: { id: 2, text: 'second' },
    });
    expect(await call(second, 'POST', '/notes', { text: 'third' })).toMatchObject({
      status: 201,
      body: { id: 3 },
    });
    await second.close();
  });

  test('releases the file if it cannot start', async () => {
    const persist = join(folder, 'given-back.db');
    await expect(
      startMock({ contract, fixtures, persist, scenario: 'nowhere' }),
    ).rejects.toMatchObject({ code: expect.any(String) as unknown });
    await (await startMock({ contract, fixtures, persist })).close();
  });

  test('refuses records beyond its limit, and says what to do', async () => {
    const mock = await startMock({ contract, fixtures, maxRecords: 1 });
    expect((await call(mock, 'POST', '/notes', { text: 'one' })).status).toBe(201);
    expect(await call(mock, 'POST', '/notes', { text: 'two' })).toMatchObject({
      status: 409,
      body: {
        code: 'store_full',
        detail: expect.stringMatching(
          /Delete records, reset the mock, or start it with a greater mock.maxRecords/,
        ) as unknown,
      },
    });
    expect((await call(mock, 'GET', '/notes')).body).toHaveLength(2);
    await mock.close();
  });
});

describe.skipIf(noRedis !== undefined)(noRedis ?? 'mocks with a Redis', () => {
  test('share their records, and report a lost connection', { timeout: 30_000 }, async () => {
    const redis = await startRedis();
    const mocks = [
      await startMock({ contract, fixtures, store: redis.url }),
      await startMock({ contract, fixtures, store: redis.url }),
    ] as const;
    try {
      const ids = await Promise.all(
        Array.from(
          { length: 40 },
          async (_, index) =>
            (await call(mocks[index % 2] ?? mocks[0], 'POST', '/notes', { text: String(index) }))
              .body,
        ),
      );
      expect(new Set(ids.map((body) => (body as { id: number }).id)).size).toBe(40);
      const [left, right] = await Promise.all(mocks.map((mock) => call(mock, 'GET', '/notes')));
      expect(left?.body).toHaveLength(41);
      expect(right).toEqual(left);
      await redis.kill();
      const answer = await call(mocks[0], 'GET', '/notes');
      expect(answer).toMatchObject({
        status: 503,
        retryAfter: '1',
        body: {
          code: 'store_unavailable',
          detail: expect.stringContaining(`The store at ${redis.url} does not answer`) as unknown,
        },
      });
      expect(await call(mocks[1], 'POST', '/notes', { text: 'lost' })).toMatchObject({
        status: 503,
      });
      await redis.restart();
      await expect
        .poll(async () => (await call(mocks[0], 'GET', '/notes')).status, { timeout: 10_000 })
        .toBe(200);
    } finally {
      await Promise.all(mocks.map((mock) => mock.close()));
      await redis.stop();
    }
  });
});

test('an unavailable store is refused with a hint, and without the password', async () => {
  const choices: readonly StoreChoice[] = [
    { persist: join(folder, 'a.db'), store: 'redis://127.0.0.1' },
    { persist: join(folder, 'nowhere', 'a.db') },
    { maxRecords: -1 },
    { store: 'env:NOT_SET_ANYWHERE' },
    { store: 'redis//:secret@host' },
    { store: 'mysql://root:secret@host' },
    { store: 'redis://:secret@/0' },
    { store: 'redis://:secret@127.0.0.1/first' },
    { store: 'redis://:secret@127.0.0.1/0?perfix=x' },
    { store: `unix://:secret@localhost${folder}/no.sock` },
  ];
  const refusals = await Promise.all(choices.map((choice) => refusalOf(choice)));
  expect(refusals.join('\n')).not.toContain('secret');
  expect(refusals.join('\n')).toMatchInlineSnapshot(`
    "usage Records can be kept in a file or in Redis, but not in both. Leave out persist
      ↳ or store.
    store-unusable Records cannot be kept in FOLDER/nowhere/a.db: there is no folder
      ↳ FOLDER/nowhere. Make the folder, or name a file in one that is there.
    usage The most records that may be added must be a whole number, and not -1. Give 0
      ↳ or more.
    usage The URL of the store should be in the environment variable NOT_SET_ANYWHERE,
      ↳ which is not set. Set it: export NOT_SET_ANYWHERE=redis://user:password@host:6379
    usage The URL of the store cannot be read. Write it like redis://127.0.0.1:6379,
      ↳ rediss://user:password@host:6379/0?prefix=team: or unix:///run/redis.sock
    usage No store is reached by mysql:// URLs. Write it like redis://127.0.0.1:6379,
      ↳ rediss://user:password@host:6379/0?prefix=team: or unix:///run/redis.sock
    usage The URL of the store cannot be read. Write it like redis://127.0.0.1:6379,
      ↳ rediss://user:password@host:6379/0?prefix=team: or unix:///run/redis.sock
    usage The database in the URL of the store is no whole number. Write it like
      ↳ redis://127.0.0.1:6379, rediss://user:password@host:6379/0?prefix=team: or
      ↳ unix:///run/redis.sock
    usage The URL of the store has an option that is not known: perfix. Write it like
      ↳ redis://127.0.0.1:6379, rediss://user:password@host:6379/0?prefix=team: or
      ↳ unix:///run/redis.sock
    store-unusable There is no store at unix://:***@localhostFOLDER/no.sock: connect
      ↳ ENOENT FOLDER/no.sock. Start Redis there, or give its URL: --store
      ↳ redis://user:password@host:6379"
  `);
});

test('flags override environment variables, which override the configuration', async () => {
  expect(readStoreFlags({ persist: 'a.db' }, { VOUCH_STORE: 'redis://x' })).toEqual({
    persist: 'a.db',
  });
  expect(readStoreFlags({}, { VOUCH_STORE: 'redis://x' })).toEqual({ store: 'redis://x' });
  expect(await refusalOf({ persist: join(folder, 'b.db') }, { store: 'redis://x' })).toBe('none');
  expect(await refusalOf({}, { persist: 'a.db', store: 'redis://x' })).toMatch(
    /^usage Records can be kept in a file or in Redis, but not in both/,
  );
  const { place } = await openStore({}, { mock: {} }, '');
  expect(place).toBeUndefined();
});
