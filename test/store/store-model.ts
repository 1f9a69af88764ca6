import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Query, SessionDump, Collection, Store, StoredRecord } from '../../src/store/store.ts';
import { fc } from '../property.ts';
import { plainQuery } from './plain-query.ts';

interface Held {
  readonly record: JsonObject | undefined;
  /** Undefined in the place of a fixture. */
  readonly turn: number | undefined;
}

/**
 * One collection of one session: the fixtures, what became of each identifier, and the integers
 * that were seen.
 */
class ModelCollection {
  fixtures: readonly StoredRecord[];
  readonly held = new Map<string, Held>();
  seen: bigint[];
  /** Those among them that the session held or was given itself. */
  readonly given: bigint[] = [];
  touched = false;
  #turn = 0;

  constructor(fixtures: readonly StoredRecord[]) {
    this.fixtures = fixtures;
    this.seen = fixtures.map(({ id }) => BigInt(id));
  }

  list(): StoredRecord[] {
    const names = new Set(this.fixtures.map(({ id }) => id));
    const own = [...this.held].flatMap(([id, { record, turn }]) =>
      record === undefined ? [] : [{ id, record, turn }],
    );
    const inPlace = this.fixtures.flatMap(({ id, record }) => {
      const held = this.held.get(id);
      if (held === undefined) return [{ id, record }];
      return held.record === undefined || held.turn !== undefined
        ? []
        : [{ id, record: held.record }];
    });
    const displaced = own
      .filter(({ id, turn }) => turn === undefined && !names.has(id))
      .sort((left, right) => (left.id < right.id ? -1 : 1));
    const added = own
      .filter(({ turn }) => turn !== undefined)
      .sort((left, right) => (left.turn ?? 0) - (right.turn ?? 0));
    return [...inPlace, ...[...displaced, ...added].map(({ id, record }) => ({ id, record }))];
  }

  get(id: string): JsonObject | undefined {
    return this.list().find((stored) => stored.id === id)?.record;
  }

  add({ id, record }: StoredRecord): void {
    this.#turn += 1;
    this.put(id, { record, turn: this.#turn });
  }

  put(id: string, held: Held): void {
    this.held.set(id, held);
    this.see(BigInt(id));
  }

  see(integer: bigint): void {
    this.seen.push(integer);
    this.given.push(integer);
    this.touched = true;
  }

  /** A fixture that was deleted stays so, even where other fixtures bring it back. */
  remove(id: string): void {
    this.put(id, { record: undefined, turn: undefined });
    if (!this.fixtures.some((stored) => stored.id === id)) this.held.delete(id);
  }

  /** What the session changed stays, laid over other fixtures. */
  reseed(fixtures: readonly StoredRecord[]): void {
    this.fixtures = fixtures;
    this.seen = [...this.given, ...fixtures.map(({ id }) => BigInt(id))];
  }
}

/** What a store should hold, and the snapshots that were taken of it. */
export class Model {
  fixtures = new Map<string, readonly StoredRecord[]>();
  readonly collections = new Map<string, ModelCollection>();
  readonly dumps: {
    readonly dump: SessionDump;
    readonly lists: ReadonlyMap<string, readonly StoredRecord[]>;
  }[] = [];

  collection({ session, name }: Collection): ModelCollection {
    const key = `${session}/${name}`;
    const known = this.collections.get(key) ?? new ModelCollection(this.fixtures.get(name) ?? []);
    this.collections.set(key, known);
    return known;
  }
}

type Command = fc.AsyncCommand<Model, Store>;

/** A step that is always allowed; `run` acts on both sides and compares what they answer. */
function command(name: string, run: (model: Model, store: Store) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? `${String(member)}n` : member,
  );
}

const collections = ['tools', 'jobs'];
const places: fc.Arbitrary<Collection> = fc.record({
  session: fc.constantFrom('a', 'b', 'c'),
  name: fc.constantFrom(...collections),
});
const ids = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map(String),
  fc.constantFrom('9007199254740993', '-3'),
);

/** As a value comes out of its text, where -0 is 0 and 1e20 an integer. */
function written(value: unknown): JsonValue {
  const reading = parseJson(JSON.stringify(value), { forbiddenKeys: [] });
  return reading.ok ? reading.value : null;
}

const scalars: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  0,
  1,
  2,
  -1,
  0.5,
  9007199254740993n,
  9007199254740994n,
  -(2n ** 64n),
  '1',
  'saw',
  'Saw axe',
  'a\u{1f600}',
  'a\uffff',
  '',
  true,
  false,
  null,
);
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: scalars },
  fc.array(scalars, { maxLength: 3 }),
);
const anyRecord: fc.Arbitrary<JsonObject> = fc.record(
  {
    value: values,
    text: scalars,
    owner: fc.record({ name: scalars }, { requiredKeys: [] }),
    more: fc.jsonValue({ maxDepth: 2 }).map(written),
  },
  { requiredKeys: [] },
);
const named = fc.tuple(ids, anyRecord).map(([id, record]): StoredRecord => ({ id, record }));

const fields = fc.constantFrom('value', 'text', 'owner.name', 'unknown');
const conditions: fc.Arbitrary<Query['where'][number]> = fc.oneof(
  fc.record({
    op: fc.constant('in' as const),
    field: fields,
    values: fc.array(scalars, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    op: fc.constantFrom('gte' as const, 'gt' as const, 'lte' as const, 'lt' as const),
    field: fields,
    value: scalars,
  }),
);
const searches: fc.Arbitrary<NonNullable<Query['search']>> = fc.record(
  {
    text: fc.constantFrom('saw', 'S', 'e', '😀', ''),
    fields: fc.constantFrom(['text'], ['owner.name', 'value']),
  },
  { requiredKeys: ['text'] },
);
const queries: fc.Arbitrary<Query> = fc.record(
  {
    where: fc.array(conditions, { maxLength: 3 }),
    search: searches,
    // Lists are compared in ways that the plain query leaves out.
    order: fc.array(
      fc.record({
        field: fc.constantFrom('text', 'owner.name', 'unknown'),
        descending: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    after: ids,
    offset: fc.nat({ max: 5 }),
    limit: fc.nat({ max: 5 }),
  },
  { requiredKeys: ['where', 'order', 'offset'] },
);

function query(collection: Collection, asked: Query): Command {
  return command(`query ${show([collection, asked])}`, async (model, store) => {
    const records = model.collection(collection).list();
    const expected = plainQuery(records, asked);
    const result = await store.query(collection, asked);
    expect(
      result && {
        ids: result.records.map(({ id }) => id),
        total: result.total,
        offset: result.offset,
      },
    ).toEqual(expected);
    expect(result?.records ?? []).toEqual(
      (result?.records ?? []).map(({ id }) => ({
        id,
        record: model.collection(collection).get(id),
      })),
    );
  });
}

function list(collection: Collection): Command {
  return command(`list ${show(collection)}`, async (model, store) => {
    expect(await store.list(collection)).toEqual(model.collection(collection).list());
  });
}

function get(collection: Collection, id: string): Command {
  return command(`get ${show(collection)} ${id}`, async (model, store) => {
    expect(await store.get(collection, id)).toEqual(model.collection(collection).get(id));
  });
}

function insert(collection: Collection, stored: StoredRecord): Command {
  return command(`insert ${show([collection, stored])}`, async (model, store) => {
    const held = model.collection(collection);
    const free = held.get(stored.id) === undefined;
    expect(await store.insert(collection, stored)).toBe(free ? 'inserted' : 'taken');
    if (free) held.add(stored);
  });
}

function replace(collection: Collection, stored: StoredRecord): Command {
  return command(`replace ${show([collection, stored])}`, async (model, store) => {
    const held = model.collection(collection);
    const there = held.get(stored.id) !== undefined;
    expect(await store.replace(collection, stored)).toBe(there);
    if (there) held.put(stored.id, { record: stored.record, turn: held.held.get(stored.id)?.turn });
  });
}

function remove(collection: Collection, id: string): Command {
  return command(`delete ${show(collection)} ${id}`, async (model, store) => {
    const held = model.collection(collection);
    const there = held.get(id) !== undefined;
    expect(await store.delete(collection, id)).toBe(there);
    if (there) held.remove(id);
  });
}

function nextInteger(collection: Collection): Command {
  return command(`nextInteger ${show(collection)}`, async (model, store) => {
    const held = model.collection(collection);
    const next = await store.nextInteger(collection);
    expect(held.seen.filter((earlier) => next <= earlier)).toEqual([]);
    held.see(next);
  });
}

function reset(session: string | undefined): Command {
  return command(`reset ${session ?? 'all'}`, async (model, store) => {
    await store.reset(session);
    for (const key of [...model.collections.keys()]) {
      if (session === undefined || key.startsWith(`${session}/`)) model.collections.delete(key);
    }
  });
}

function seed(stored: readonly StoredRecord[]): Command {
  return command(`seed ${show(stored)}`, async (model, store) => {
    await store.seed(new Map([['tools', stored]]));
    model.fixtures = new Map([['tools', stored]]);
    for (const [key, held] of model.collections) held.reseed(key.endsWith('/tools') ? stored : []);
  });
}

function dump(session: string): Command {
  return command(`dump ${session}`, async (model, store) => {
    const taken = await store.dump(session);
    const lists = new Map(
      collections.map((collection) => [
        collection,
        model.collection({ session, name: collection }).list(),
      ]),
    );
    for (const [collection, { records: held }] of Object.entries(taken.collections))
      expect(held).toEqual(lists.get(collection));
    for (const [collection, held] of lists)
      if (held.length > 0) expect(Object.keys(taken.collections)).toContain(collection);
    model.dumps.push({ dump: taken, lists });
  });
}

function restore(session: string, which: number): Command {
  return command(`restore ${session}`, async (model, store) => {
    const chosen = model.dumps[which % Math.max(1, model.dumps.length)];
    if (chosen === undefined) return;
    await store.restore(session, chosen.dump);
    for (const collection of collections) {
      const held = new ModelCollection(model.fixtures.get(collection) ?? []);
      model.collections.set(`${session}/${collection}`, held);
      const dumped = chosen.dump.collections[collection];
      if (dumped === undefined) continue;
      // A restored session need not know which of its records stand in the place of fixtures, as
      // long as no fixtures change.
      expect(await store.list({ session, name: collection })).toEqual(chosen.lists.get(collection));
      held.see(BigInt(dumped.greatest));
      restoreCollection(held, chosen.lists.get(collection) ?? []);
    }
  });
}

/** The records stay in the places of fixtures as long as these come in their order. */
function restoreCollection(collection: ModelCollection, records: readonly StoredRecord[]): void {
  const fixtures = collection.fixtures.map(({ id }) => id);
  for (const id of fixtures) collection.put(id, { record: undefined, turn: undefined });
  let reached = -1;
  for (const stored of records) {
    const place = fixtures.indexOf(stored.id);
    if (place <= reached) reached = Infinity;
    if (reached === Infinity) collection.add(stored);
    else {
      reached = place;
      // What is as the fixture has it is no change.
      if (isDeepStrictEqual(collection.fixtures[place]?.record, stored.record))
        collection.held.delete(stored.id);
      else collection.put(stored.id, { record: stored.record, turn: undefined });
    }
  }
}

function sessions(): Command {
  return command('sessions', async (model, store) => {
    const touched = [...model.collections]
      .filter(([, { touched: changed }]) => changed)
      .map(([key]) => key.split('/')[0]);
    expect([...(await store.sessions())].sort()).toEqual([...new Set(touched)].sort());
  });
}

/** Any sequence of calls that a store can get. */
export const storeCommands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    places.map(list),
    fc.tuple(places, queries).map(([collection, asked]) => query(collection, asked)),
    fc.tuple(places, queries).map(([collection, asked]) => query(collection, asked)),
    fc.tuple(places, ids).map(([collection, id]) => get(collection, id)),
    fc.tuple(places, named).map(([collection, stored]) => insert(collection, stored)),
    fc.tuple(places, named).map(([collection, stored]) => insert(collection, stored)),
    fc.tuple(places, named).map(([collection, stored]) => replace(collection, stored)),
    fc.tuple(places, ids).map(([collection, id]) => remove(collection, id)),
    places.map(nextInteger),
    fc.constantFrom('a', 'b', undefined).map(reset),
    fc.uniqueArray(named, { selector: ({ id }) => id, maxLength: 5 }).map(seed),
    fc.constantFrom('a', 'b', 'c').map(dump),
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat())
      .map(([session, which]) => restore(session, which)),
    fc.constant(sessions()),
  ],
  { size: '+1' },
);
