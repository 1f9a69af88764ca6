import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import type { Shelf, Store, StoredRecord } from '../../src/store/store.ts';

/** What a store should hold: one plain map for each session and collection, and the integers that it has seen. */
export class Model {
  readonly fixtures = new Map<string, readonly StoredRecord[]>();
  readonly shelves = new Map<string, { readonly records: Map<string, JsonObject>; readonly seen: bigint[] }>();

  shelf({ session, collection }: Shelf): { readonly records: Map<string, JsonObject>; readonly seen: bigint[] } {
    const key = `${session}/${collection}`;
    const fixtures = this.fixtures.get(collection) ?? [];
    const known = this.shelves.get(key) ?? { records: new Map(fixtures.map(({ id, record }) => [id, record])), seen: fixtures.map(({ id }) => BigInt(id)) };
    this.shelves.set(key, known);
    return known;
  }
}

type Command = fc.AsyncCommand<Model, Store>;

/** A step that is always allowed; `run` acts on both sides and compares what they answer. */
function command(name: string, run: (model: Model, store: Store) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const shelves: fc.Arbitrary<Shelf> = fc.record({ session: fc.constantFrom('a', 'b', 'c'), collection: fc.constantFrom('tools', 'jobs') });
const ids = fc.oneof(fc.integer({ min: 0, max: 6 }).map(String), fc.constantFrom('9007199254740993', '-3'));
const records = fc.record({ value: fc.jsonValue({ maxDepth: 2 }) }) as fc.Arbitrary<JsonObject>;
const named = fc.tuple(ids, records).map(([id, record]): StoredRecord => ({ id, record }));

function list(shelf: Shelf): Command {
  return command(`list ${JSON.stringify(shelf)}`, async (model, store) => {
    const expected = [...model.shelf(shelf).records].map(([id, record]) => ({ id, record }));
    expect(await store.list(shelf)).toEqual(expected);
  });
}

function get(shelf: Shelf, id: string): Command {
  return command(`get ${JSON.stringify(shelf)} ${id}`, async (model, store) => {
    expect(await store.get(shelf, id)).toEqual(model.shelf(shelf).records.get(id));
  });
}

function insert(shelf: Shelf, stored: StoredRecord): Command {
  return command(`insert ${JSON.stringify([shelf, stored])}`, async (model, store) => {
    const { records: held, seen } = model.shelf(shelf);
    const free = !held.has(stored.id);
    expect(await store.insert(shelf, stored)).toBe(free);
    if (!free) return;
    held.set(stored.id, stored.record);
    seen.push(BigInt(stored.id));
  });
}

function replace(shelf: Shelf, stored: StoredRecord): Command {
  return command(`replace ${JSON.stringify([shelf, stored])}`, async (model, store) => {
    const { records: held } = model.shelf(shelf);
    expect(await store.replace(shelf, stored)).toBe(held.has(stored.id));
    if (held.has(stored.id)) held.set(stored.id, stored.record);
  });
}

function remove(shelf: Shelf, id: string): Command {
  return command(`delete ${JSON.stringify(shelf)} ${id}`, async (model, store) => {
    expect(await store.delete(shelf, id)).toBe(model.shelf(shelf).records.delete(id));
  });
}

function nextInteger(shelf: Shelf): Command {
  return command(`nextInteger ${JSON.stringify(shelf)}`, async (model, store) => {
    const { seen } = model.shelf(shelf);
    const next = await store.nextInteger(shelf);
    expect(seen.every((earlier) => next > earlier)).toBe(true);
    seen.push(next);
  });
}

function reset(session: string | undefined): Command {
  return command(`reset ${session ?? 'all'}`, async (model, store) => {
    await store.reset(session);
    for (const key of [...model.shelves.keys()]) {
      if (session === undefined || key.startsWith(`${session}/`)) model.shelves.delete(key);
    }
  });
}

function seed(stored: readonly StoredRecord[]): Command {
  return command(`seed ${JSON.stringify(stored)}`, async (model, store) => {
    await store.seed(new Map([['tools', stored]]));
    model.shelves.clear();
    model.fixtures.set('tools', stored);
  });
}

/** Any sequence of calls that a store can get. */
export const storeCommands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    shelves.map(list),
    fc.tuple(shelves, ids).map(([shelf, id]) => get(shelf, id)),
    fc.tuple(shelves, named).map(([shelf, stored]) => insert(shelf, stored)),
    fc.tuple(shelves, named).map(([shelf, stored]) => replace(shelf, stored)),
    fc.tuple(shelves, ids).map(([shelf, id]) => remove(shelf, id)),
    shelves.map(nextInteger),
    fc.constantFrom('a', 'b', undefined).map(reset),
    fc.uniqueArray(named, { selector: ({ id }) => id, maxLength: 5 }).map(seed),
  ],
  { size: '+1' },
);
