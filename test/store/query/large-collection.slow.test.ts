import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { FixtureCollection } from '../../../src/store/fixture-collection.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import { SessionOverlay } from '../../../src/store/overlay.ts';
import type { Query, Collection, Store, StoredRecord } from '../../../src/store/store.ts';
import { plainQuery } from '../plain-query.ts';

const collection: Collection = { session: 'default', name: 'tools' };
const kinds = ['hand', 'power', 'garden'];

/** Large enough for every index to be made, and for some values to be rare. */
function makeRecord(index: number): JsonObject {
  return {
    value:
      index % 7 === 0
        ? [index % 5, `v${String(index % 11)}`]
        : index % 13 === 0
          ? BigInt(index % 5) + 2n ** 53n
          : index % 50,
    text: kinds[(index * 7) % 3] ?? '',
    ...(index % 4 === 0
      ? {}
      : { owner: { name: index % 900 === 0 ? null : `owner ${String((index * 31) % 400)}` } }),
  };
}

/** The same numbers at every run (Numerical Recipes' generator). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomQuery(random: (below: number) => number): Query {
  const conditions: readonly Query['where'][number][] = [
    { op: 'in', field: 'text', values: [kinds[random(3)] ?? ''] },
    {
      op: 'in',
      field: 'owner.name',
      values: [`owner ${String(random(420))}`, `owner ${String(random(420))}`],
    },
    {
      op: 'in',
      field: 'value',
      values: [random(50), 2n ** 53n + BigInt(random(5)), `v${String(random(12))}`],
    },
    { op: 'gte', field: 'value', value: random(50) },
    { op: 'lt', field: 'owner.name', value: `owner ${String(random(400))}` },
  ];
  const orders = ['text', 'owner.name', 'unknown'];
  return {
    where: conditions.filter(() => random(3) === 0),
    ...(random(4) === 0 ? { search: { text: `R ${String(random(40))}` } } : {}),
    order:
      random(2) === 0
        ? []
        : Array.from({ length: 1 + random(2) }, () => ({
            field: orders[random(3)] ?? '',
            descending: random(2) === 0,
          })),
    ...(random(4) === 0 ? { after: String(random(6000)) } : {}),
    offset: random(3) === 0 ? random(4000) : 0,
    ...(random(5) === 0 ? {} : { limit: random(30) }),
  };
}

async function change(
  store: Store,
  random: (below: number) => number,
  plain: Map<string, JsonObject>,
): Promise<void> {
  const id = String(random(9000));
  const record = makeRecord(random(100_000));
  switch (random(4)) {
    case 0:
      expect(await store.delete(collection, id)).toBe(plain.delete(id));
      return;
    case 1:
      if (await store.replace(collection, { id, record })) plain.set(id, record);
      return;
    default:
      if ((await store.insert(collection, { id, record })) === 'inserted') plain.set(id, record);
  }
}

function listed(plain: ReadonlyMap<string, JsonObject>): StoredRecord[] {
  return [...plain].map(([id, record]) => ({ id, record }));
}

describe.each([
  { name: 'many fixtures, few changes', fixtures: 6000, changes: 60, seed: 1 },
  { name: 'no fixtures, many records added', fixtures: 0, changes: 6000, seed: 2 },
  { name: 'many of both', fixtures: 6000, changes: 6000, seed: 3 },
])('$name', ({ fixtures, changes, seed }) => {
  test('are queried with the result of a linear scan', { timeout: 60_000 }, async () => {
    const random = makeRandom(seed);
    const store = makeMemoryStore();
    const plain = new Map(
      Array.from({ length: fixtures }, (_, index) => [String(index), makeRecord(index)] as const),
    );
    await store.seed(new Map([['tools', listed(plain)]]));
    for (let round = 0; round < 150; round += 1) {
      for (let count = 0; count < changes / 150; count += 1) await change(store, random, plain);
      const query = randomQuery(random);
      const result = await store.query(collection, query);
      expect(
        result && {
          ids: result.records.map(({ id }) => id),
          total: result.total,
          offset: result.offset,
        },
        JSON.stringify(query, (_key, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ).toEqual(plainQuery(listed(plain), query));
    }
    expect(await store.list(collection)).toEqual(listed(plain));
  });
});

test.each([0, 20, 200])(
  'every page is a part of the whole, with %i of 300 fixtures changed and others added',
  async (changes) => {
    const random = makeRandom(changes + 9);
    const store = makeMemoryStore();
    const plain = new Map(
      Array.from({ length: 300 }, (_, index) => [String(index), makeRecord(index)] as const),
    );
    await store.seed(new Map([['tools', listed(plain)]]));
    for (let count = 0; count < changes; count += 1) {
      const id = String(random(300));
      const record = makeRecord(random(100_000));
      if (random(2) === 0 && (await store.delete(collection, id))) plain.delete(id);
      else if (await store.replace(collection, { id, record })) plain.set(id, record);
      await store.insert(collection, { id: `n${String(count)}`, record });
      plain.set(`n${String(count)}`, record);
    }
    const wholes: readonly Query[] = [
      { where: [], order: [], offset: 0 },
      { where: [{ op: 'in', field: 'text', values: ['hand', 'power'] }], order: [], offset: 0 },
      { where: [], order: [{ field: 'owner.name', descending: false }], offset: 0 },
      {
        where: [{ op: 'gt', field: 'value', value: 10 }],
        order: [{ field: 'text', descending: true }],
        offset: 0,
      },
    ];
    for (const whole of wholes) {
      const ids = plainQuery(listed(plain), whole)?.ids ?? [];
      for (let offset = 0; offset <= ids.length; offset += 1) {
        const page = await store.query(collection, { ...whole, offset, limit: 3 });
        expect(page?.records.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 3));
        const behind = await store.query(collection, {
          ...whole,
          after: ids[offset] ?? '',
          limit: 1,
        });
        expect(behind && [behind.offset, behind.records[0]?.id]).toEqual(
          offset === ids.length ? undefined : [offset + 1, ids[offset + 1]],
        );
      }
    }
  },
);

test('a repeated query does not scan records', () => {
  let reads = 0;
  const watched = (index: number): JsonObject =>
    Object.freeze({
      get kind() {
        reads += 1;
        return kinds[index % 3] ?? '';
      },
    });
  const base = new FixtureCollection(
    'tools',
    Array.from({ length: 5000 }, (_, index) => ({ id: String(index), record: {} })),
  );
  // Seeding copies records; only those in the session's own hands can count how often they are
  // read.
  const overlay = new SessionOverlay(base);
  for (let index = 0; index < 5000; index += 1)
    overlay.apply({ id: String(index), record: watched(index), turn: undefined });
  const query: Query = {
    where: [{ op: 'in', field: 'kind', values: ['hand'] }],
    order: [],
    offset: 500,
    limit: 20,
  };
  expect(overlay.query(query)?.total).toBe(1667);
  reads = 0;
  expect(overlay.query({ ...query, offset: 900 })?.records).toHaveLength(20);
  expect(reads).toBe(0);
});

test('the memory of a session depends only on its changes', () => {
  const base = new FixtureCollection(
    'tools',
    Array.from({ length: 10_000 }, (_, index) => ({
      id: String(index),
      record: makeRecord(index),
    })),
  );
  const sessions = Array.from({ length: 1000 }, () => new SessionOverlay(base));
  for (const [index, overlay] of sessions.entries()) {
    overlay.apply({ id: String(index), record: { text: 'mine' }, turn: undefined });
    expect(
      overlay.query({
        where: [{ op: 'in', field: 'text', values: ['mine'] }],
        order: [],
        offset: 0,
      })?.total,
    ).toBe(1);
  }
  // One record of its own, and one fixture that it hides.
  expect(sessions.reduce((total, { size }) => total + size, 0)).toBe(2000);
});
