import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../src/server/tls/tls-settings.ts';
import { openRedisStore } from '../../src/store/redis-store.ts';
import { readRedisAddress, type RedisAddress } from '../../src/store/redis/redis-address.ts';
import type { Collection, Fixtures, Store, StoreLimits } from '../../src/store/store.ts';
import { changeAtomically } from '../../src/store/watched-store.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { noRedis, startRedis, type RedisServer } from './redis-server.ts';
import { Model, storeCommands } from './store-model.ts';
import { describeStore } from './store-suite.ts';

if (noRedis !== undefined) console.warn(`The Redis store is not tested: ${noRedis}.`);

const server: RedisServer | undefined = noRedis === undefined ? await startRedis() : undefined;
const opened: Store[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await server?.stop();
});

let realms = 0;
async function open(
  limits: StoreLimits & { readonly realm?: string; readonly ttl?: number } = {},
  url = server?.url ?? '',
): Promise<Store> {
  realms += 1;
  const store = await openRedisStore({
    realm: String(realms),
    ...limits,
    address: readRedisAddress(url),
  });
  opened.push(store);
  return store;
}

const collection: Collection = { session: 'default', name: 'tools' };
const fixtures: Fixtures = new Map([
  [
    'tools',
    [
      { id: '1', record: { id: 1 } },
      { id: '2', record: { id: 2 } },
    ],
  ],
]);

async function replicas(count: number, limits: Parameters<typeof open>[0] = {}): Promise<Store[]> {
  const realm = `shared ${String(realms)}`;
  const stores = await Promise.all(Array.from({ length: count }, () => open({ realm, ...limits })));
  for (const store of stores) await store.seed(fixtures);
  return stores;
}

describe.skipIf(noRedis !== undefined)(noRedis ?? 'with a Redis', () => {
  describeStore('redis', async (limits) => open(limits));

  test(
    'any sequence of calls to any replica has the same effect as on plain maps',
    {
      timeout: 60_000,
    },
    async () => {
      await fc.assert(
        fc.asyncProperty(storeCommands, async (commands) => {
          const [left, right] = await replicas(2);
          if (left === undefined || right === undefined) throw new Error('there are two');
          await left.seed(new Map());
          await right.seed(new Map());
          await fc.asyncModelRun(
            () => ({ model: new Model(), real: alternating(left, right) }),
            commands,
          );
          for (const store of [left, right]) await store.close();
        }),
        { numRuns: 40 },
      );
    },
  );

  describe('several replicas', () => {
    test('see each other’s changes at once, in insertion order', async () => {
      const [left, right] = await replicas(2);
      await left?.insert(collection, { id: '7', record: { by: 'left' } });
      await right?.insert(collection, { id: '5', record: { by: 'right' } });
      await right?.delete(collection, '1');
      await left?.replace(collection, { id: '2', record: { by: 'left' } });
      const expected = [
        { id: '2', record: { by: 'left' } },
        { id: '7', record: { by: 'left' } },
        { id: '5', record: { by: 'right' } },
      ];
      expect(await left?.list(collection)).toEqual(expected);
      expect(await right?.list(collection)).toEqual(expected);
      await left?.reset();
      expect(await right?.list(collection)).toEqual(fixtures.get('tools'));
      await right?.insert(collection, { id: '9', record: {} });
      expect((await left?.list(collection))?.map(({ id }) => id)).toEqual(['1', '2', '9']);
    });

    test('never give an integer twice, nor take an identifier twice', async () => {
      const stores = await replicas(3);
      const given = await Promise.all(
        Array.from({ length: 300 }, (_, index) => stores[index % 3]?.nextInteger(collection)),
      );
      expect(new Set(given).size).toBe(300);
      expect(given).not.toContain(2n);
      const added = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          stores[index % 3]?.insert(collection, { id: '500', record: { index } }),
        ),
      );
      expect(added.filter((answer) => answer === 'inserted')).toHaveLength(1);
      const removed = await Promise.all(stores.map((store) => store.delete(collection, '500')));
      expect(removed.filter(Boolean)).toHaveLength(1);
    });

    test('lose no change of a record, of a fixture or added', async () => {
      const stores = await replicas(2);
      await stores[0]?.insert(collection, { id: '9', record: {} });
      const count = async (store: Store, id: string): Promise<unknown> =>
        changeAtomically(store, async (view) => {
          const record = (await view.get(collection, id)) ?? {};
          const times = typeof record['times'] === 'number' ? record['times'] : 0;
          return view.replace(collection, { id, record: { ...record, times: times + 1 } });
        });
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          stores.map((store) => count(store, index % 2 === 0 ? '1' : '9')),
        ).flat(),
      );
      for (const id of ['1', '9'])
        expect(await stores[1]?.get(collection, id)).toMatchObject({ times: 40 });
    });

    test('compare any record with what was read, whatever its numbers and names', async () => {
      const [left, right] = await replicas(2);
      if (left === undefined || right === undefined) throw new Error('there are two');
      const special = [-0, 1e21, 1e20, 5e-324, 2 ** 53, 2n ** 80n, 0.1 + 0.2, '\ud800', ' \u2028'];
      let index = 100;
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...special), async (any, one) => {
          const id = String((index += 1));
          const record = { any: any as JsonValue, one, 2: 'b', 1: 'a' };
          await left.insert(collection, { id, record });
          const read = await right.get(collection, id);
          expect(await right.replace(collection, { id, record: {} }, read)).toBe(true);
        }),
        { numRuns: 60 },
      );
    });

    test('a change that others overtake all the time is given up', async () => {
      const [left] = await replicas(1);
      if (left === undefined) throw new Error('there is one');
      let turn = 0;
      const change = changeAtomically(left, async (view) => {
        await view.get(collection, '1');
        await left.replace(collection, { id: '1', record: { turn: (turn += 1) } });
        return view.replace(collection, { id: '1', record: {} });
      });
      await expect(change).rejects.toMatchObject({ code: 'store-unavailable' });
      expect(turn).toBe(200);
    });

    test('count records together', async () => {
      const [left, right] = await replicas(2, { records: 2 });
      expect(await left?.insert(collection, { id: '10', record: {} })).toBe('inserted');
      expect(await right?.insert({ ...collection, session: 'b' }, { id: '11', record: {} })).toBe(
        'inserted',
      );
      expect(await left?.insert(collection, { id: '12', record: {} })).toBe('full');
    });

    test('read many changes of another replica', { timeout: 30_000 }, async () => {
      const [left, right] = await replicas(2);
      await Promise.all(
        Array.from({ length: 2500 }, (_, index) =>
          left?.insert(collection, { id: `n${String(index)}`, record: { index } }),
        ),
      );
      expect(await right?.list(collection)).toHaveLength(2502);
      await Promise.all(
        Array.from({ length: 2200 }, (_, index) => left?.delete(collection, `n${String(index)}`)),
      );
      expect(await right?.list(collection)).toHaveLength(302);
      expect(await left?.list(collection)).toEqual(await right?.list(collection));
    });
  });

  test('contracts that share a Redis do not see each other', async () => {
    const [left, right] = [await open(), await open()];
    await left.insert(collection, { id: '1', record: {} });
    expect(await right.list(collection)).toEqual([]);
    expect(await right.sessions()).toEqual([]);
  });

  test('an unused session expires with its counter', async () => {
    const [left, right] = await replicas(2, { ttl: 1, records: 1 });
    await left?.insert(collection, { id: '3', record: {} });
    expect(await right?.list(collection)).toHaveLength(3);
    await expect.poll(async () => (await left?.sessions())?.length, { timeout: 5000 }).toBe(0);
    expect(await right?.list(collection)).toHaveLength(2);
    expect(await right?.insert({ ...collection, session: 'b' }, { id: '3', record: {} })).toBe(
      'inserted',
    );
  });

  test('a lost Redis is reported, and reconnected', { timeout: 30_000 }, async () => {
    const own = await startRedis();
    try {
      const store = await open({}, own.url);
      await store.seed(fixtures);
      await store.insert(collection, { id: '3', record: {} });
      await own.kill();
      const refusals = await Promise.all(
        [
          store.list(collection),
          store.insert(collection, { id: '4', record: {} }),
          store.sessions(),
        ].map((answer) => Promise.resolve<unknown>(answer).catch((error: unknown) => error)),
      );
      for (const refusal of refusals)
        expect(refusal).toMatchObject({
          code: 'store-unavailable',
          message: expect.stringContaining(own.socket) as unknown,
        });
      await own.restart();
      await expect
        .poll(() => Promise.resolve<unknown>(store.list(collection)).catch(() => 'not yet'), {
          timeout: 10_000,
        })
        .toEqual(fixtures.get('tools'));
      expect(await store.insert(collection, { id: '4', record: {} })).toBe('inserted');
    } finally {
      await own.stop();
    }
  });

  test('is used over TLS with a trusted certificate', async () => {
    const { key, cert, authority } = await makeCertificate('127.0.0.1', new Date());
    const folder = mkdtempSync(join(tmpdir(), 'vouch-redis-tls-'));
    const files = Object.entries({ key, cert, ca: authority }).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return [`--tls-${name === 'ca' ? 'ca-cert' : name}-file`, join(folder, name)];
    });
    const port = await freePort();
    const own = await startRedis([
      '--tls-port',
      String(port),
      ...files.flat(),
      '--tls-auth-clients',
      'no',
    ]);
    const trusted = getCACertificates('default');
    try {
      const refusal = await open({}, `rediss://127.0.0.1:${String(port)}`).catch(
        (error: unknown) => error,
      );
      expect(refusal).toMatchObject({
        code: 'store-unusable',
        message: expect.stringMatching(/certificate/) as unknown,
      });
      setDefaultCACertificates([...trusted, authority]);
      const store = await open({}, `rediss://127.0.0.1:${String(port)}`);
      expect(await store.insert(collection, { id: '1', record: {} })).toBe('inserted');
    } finally {
      setDefaultCACertificates(trusted);
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a password authenticates, and is never shown', async () => {
    const own = await startRedis(['--requirepass', 'open-sesame']);
    try {
      const store = await open({}, own.url.replace('unix://', 'unix://:open-sesame@localhost'));
      expect(await store.insert(collection, { id: '1', record: {} })).toBe('inserted');
      const refusal = await open(
        {},
        own.url.replace('unix://', 'unix://:wrong-word@localhost'),
      ).catch((error: unknown) => error as Error & { hint: string });
      expect(String((refusal as Error).message).replace(own.socket, 'SOCKET')).toBe(
        'There is no store at unix://:***@localhostSOCKET: ' +
          'WRONGPASS invalid username-password pair or user is disabled.',
      );
      expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toMatch(
        /open-sesame|wrong-word/,
      );
    } finally {
      await own.stop();
    }
  });
});

test('a server that never responds is given up', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = silent.address() as AddressInfo;
  const refusal = await openRedisStore({
    realm: '',
    address: readRedisAddress(`redis://127.0.0.1:${String(port)}`),
    patienceMs: 50,
  }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'store-unusable',
    message:
      `There is no store at redis://127.0.0.1:${String(port)}: there was no ` +
      'answer within 0.05 seconds.',
  });
  silent.close();
});

test.each<[string, Partial<RedisAddress>]>([
  [
    'redis://127.0.0.1',
    {
      shown: 'redis://127.0.0.1',
      username: undefined,
      password: undefined,
      database: 0,
      prefix: 'vouch:',
      place: { kind: 'tcp', host: '127.0.0.1', port: 6379 },
    },
  ],
  [
    'redis://[::1]:7000/3?prefix=team:',
    {
      shown: 'redis://[::1]:7000/3?prefix=team:',
      database: 3,
      prefix: 'team:',
      place: { kind: 'tcp', host: '::1', port: 7000 },
    },
  ],
  [
    'rediss://ann:p%40ss@cache.example/1',
    {
      shown: 'rediss://ann:***@cache.example/1',
      username: 'ann',
      password: 'p@ss',
      database: 1,
      place: { kind: 'tls', host: 'cache.example', port: 6379 },
    },
  ],
  [
    'redis://:word@127.0.0.1',
    { shown: 'redis://:***@127.0.0.1', username: undefined, password: 'word' },
  ],
  [
    'unix:///run/redis.sock?db=2',
    {
      shown: 'unix:///run/redis.sock?db=2',
      database: 2,
      place: { kind: 'socket', path: '/run/redis.sock' },
    },
  ],
])('%s is read', (url, expected) => {
  expect(readRedisAddress(url)).toMatchObject(expected);
});

test('without Redis, the mock does not start', async () => {
  const refusal = await openRedisStore({
    realm: '',
    address: readRedisAddress('unix:///nowhere/redis.sock'),
  }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'store-unusable',
    message: 'There is no store at unix:///nowhere/redis.sock: connect ENOENT /nowhere/redis.sock.',
  });
});

/** A port that was free a moment ago: Redis cannot be told to take any. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A store that asks two replicas in turn; what only this process knows goes to both. */
function alternating(left: Store, right: Store): Store {
  let calls = 0;
  const next = (): Store => {
    calls += 1;
    return calls % 2 === 0 ? left : right;
  };
  return {
    kind: 'redis',
    recordLimit: left.recordLimit,
    seed: async (seeded) => {
      await left.seed(seeded);
      await right.seed(seeded);
    },
    list: (where) => next().list(where),
    query: (where, query) => next().query(where, query),
    get: (where, id) => next().get(where, id),
    insert: (where, stored) => next().insert(where, stored),
    replace: (where, stored, read) => next().replace(where, stored, read),
    delete: (where, id, read) => next().delete(where, id, read),
    nextInteger: (where) => next().nextInteger(where),
    reset: (session) => next().reset(session),
    dump: (session) => next().dump(session),
    restore: (session, dump) => next().restore(session, dump),
    sessions: () => next().sessions(),
    close: () => left.close(),
  };
}
