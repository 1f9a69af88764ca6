import { describe, expect, test } from 'vitest';
import {
  type Collection,
  type Fixtures,
  RecordChanged,
  type Store,
  type StoredRecord,
} from '../../src/store/store.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { MakeStore } from './make-store.ts';
import { describeDumps } from './store-dumps.ts';
import { describeQueries } from './store-queries.ts';

const tools: Collection = { session: 'default', name: 'tools' };
const elsewhere: Collection = { session: 'elsewhere', name: 'tools' };

function stored(id: string, more: JsonObject = {}): StoredRecord {
  return { id, record: { id: /^-?\d+$/.test(id) ? Number(id) : id, ...more } };
}

const fixtures: Fixtures = new Map([
  ['tools', [stored('1', { name: 'saw' }), stored('5', { name: 'axe', parts: [{ of: 'steel' }] })]],
]);

async function ids(store: Store, collection: Collection): Promise<string[]> {
  return (await store.list(collection)).map(({ id }) => id);
}

/** What every store driver promises. `make` gives an empty store of its own to each test. */
export function describeStore(name: string, make: MakeStore): void {
  const prepare = async (): Promise<Store> => {
    const store = await make();
    await store.seed(fixtures);
    return store;
  };

  describe(`the store ${name}`, () => {
    test('gives its name', async () => {
      expect((await make()).kind).toBe(name);
    });

    test('is empty before it is seeded', async () => {
      const store = await make();
      expect(await store.list(tools)).toEqual([]);
      expect(await store.get(tools, '1')).toBeUndefined();
      expect(await store.nextInteger(tools)).toBe(1n);
    });

    test('shows the fixtures in their order, to every session', async () => {
      const store = await prepare();
      expect(await store.list(tools)).toEqual(fixtures.get('tools'));
      expect(await store.list(elsewhere)).toEqual(fixtures.get('tools'));
      expect(await store.get(tools, '5')).toEqual({ id: 5, name: 'axe', parts: [{ of: 'steel' }] });
      expect(await store.list({ session: 'default', name: 'unknown' })).toEqual([]);
    });

    test('adds a record after the others', async () => {
      const store = await prepare();
      expect(await store.insert(tools, stored('3'))).toBe('inserted');
      expect(await ids(store, tools)).toEqual(['1', '5', '3']);
      expect(await store.get(tools, '3')).toEqual({ id: 3 });
    });

    test('adds nothing if a fixture or an added record has the identifier', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3', { name: 'old' }));
      expect(await store.insert(tools, stored('1', { name: 'new' }))).toBe('taken');
      expect(await store.insert(tools, stored('3', { name: 'new' }))).toBe('taken');
      expect(await store.get(tools, '1')).toEqual({ id: 1, name: 'saw' });
      expect(await store.get(tools, '3')).toEqual({ id: 3, name: 'old' });
    });

    test('replaces a record in its place, and no other', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3'));
      await store.insert(tools, stored('4'));
      expect(await store.replace(tools, stored('1', { name: 'knife' }))).toBe(true);
      expect(await store.replace(tools, stored('3', { name: 'file' }))).toBe(true);
      expect(await store.replace(tools, stored('9'))).toBe(false);
      expect(await store.list(tools)).toEqual([
        stored('1', { name: 'knife' }),
        stored('5', { name: 'axe', parts: [{ of: 'steel' }] }),
        stored('3', { name: 'file' }),
        stored('4'),
      ]);
    });

    test('removes a record once', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3'));
      expect(await store.delete(tools, '1')).toBe(true);
      expect(await store.delete(tools, '1')).toBe(false);
      expect(await store.delete(tools, '3')).toBe(true);
      expect(await store.delete(tools, '9')).toBe(false);
      expect(await ids(store, tools)).toEqual(['5']);
      expect(await store.get(tools, '1')).toBeUndefined();
      expect(await store.replace(tools, stored('1'))).toBe(false);
    });

    test('replaces and removes a record only as it was read', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3', { name: 'old', size: 1.5, big: 9007199254740993n }));
      for (const id of ['1', '3']) {
        const read = await store.get(tools, id);
        expect(await store.replace(tools, stored(id, { name: 'new' }), read)).toBe(true);
        const change = async (): Promise<boolean> =>
          store.replace(tools, stored(id, { name: 'lost' }), read);
        await expect(change()).rejects.toBeInstanceOf(RecordChanged);
        await expect((async () => store.delete(tools, id, read))()).rejects.toBeInstanceOf(
          RecordChanged,
        );
        expect(await store.get(tools, id)).toMatchObject({ name: 'new' });
        expect(await store.delete(tools, id, await store.get(tools, id))).toBe(true);
        expect(await store.replace(tools, stored(id), read)).toBe(false);
        expect(await store.delete(tools, id, read)).toBe(false);
      }
    });

    test('a removed record may be added again, and is then the last', async () => {
      const store = await prepare();
      await store.replace(tools, stored('1', { name: 'knife' }));
      await store.delete(tools, '1');
      expect(await store.insert(tools, stored('1', { name: 'saw again' }))).toBe('inserted');
      expect(await store.list(tools)).toEqual([
        fixtures.get('tools')?.[1],
        stored('1', { name: 'saw again' }),
      ]);
    });

    test('keeps sessions and collections apart', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3'));
      await store.delete(tools, '1');
      await store.replace(tools, stored('5'));
      expect(await store.list(elsewhere)).toEqual(fixtures.get('tools'));
      expect(await store.list({ session: 'default', name: 'jobs' })).toEqual([]);
    });

    test.each([
      { text: '1', other: '01' },
      { text: 'a', other: 'A' },
      { text: '__proto__', other: 'constructor' },
      { text: '', other: ' ' },
      { text: 'é', other: 'e\u0301' },
    ])('identifiers are compared exactly: "$text" is not "$other"', async ({ text, other }) => {
      const store = await make();
      await store.seed(new Map());
      await store.insert(tools, { id: text, record: { text } });
      expect(await store.get(tools, other)).toBeUndefined();
      expect(await store.insert(tools, { id: other, record: { other } })).toBe('inserted');
      expect(await store.get(tools, text)).toEqual({ text });
    });

    test('gives back every value as it came, at any depth', async () => {
      const store = await prepare();
      const record = {
        id: 9007199254740993n,
        least: -(2n ** 63n),
        half: 0.5,
        none: null,
        yes: true,
        text: '\u0000 "é" 😀',
        list: [1, [2n ** 64n], {}],
        nested: { a: { b: [] } },
        ['__proto__']: { polluted: true },
      };
      await store.insert(tools, { id: '9007199254740993', record });
      expect(await store.get(tools, '9007199254740993')).toEqual(record);
      expect(Object.keys((await store.get(tools, '9007199254740993')) ?? {})).toEqual(
        Object.keys(record),
      );
    });

    test('is not changed through what was handed in', async () => {
      const store = await prepare();
      const record = { id: 3, parts: [{ of: 'wood' }] };
      await store.insert(tools, { id: '3', record });
      record.parts.push({ of: 'glue' });
      record.parts[0] = { of: 'gold' };
      expect(await store.get(tools, '3')).toEqual({ id: 3, parts: [{ of: 'wood' }] });
    });

    test('is not changed through what it hands out', async () => {
      const store = await prepare();
      const [first] = await store.list(tools);
      const list = await store.list(tools);
      const axe = await store.get(tools, '5');
      for (const attempt of [
        () => Reflect.set(first?.record ?? {}, 'name', 'changed'),
        () => Reflect.set(axe?.['parts'] as object, '0', 'changed'),
        () => (list as StoredRecord[]).pop(),
      ]) {
        // A frozen value refuses with an error or silently; a copy takes the change to itself.
        try {
          attempt();
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }
      expect(await store.list(tools)).toEqual(fixtures.get('tools'));
      expect(await store.list(elsewhere)).toEqual(fixtures.get('tools'));
    });

    describe('the next integer', () => {
      test('is greater than every identifier, and never the same', async () => {
        const store = await prepare();
        expect(await store.nextInteger(tools)).toBe(6n);
        expect(await store.nextInteger(tools)).toBe(7n);
        await store.insert(tools, stored('100'));
        expect(await store.nextInteger(tools)).toBe(101n);
      });

      test('is given to one record only', async () => {
        const store = await prepare();
        const id = String(await store.nextInteger(tools));
        expect(await store.insert(tools, stored(id))).toBe('inserted');
        expect(await store.insert(tools, stored(id))).toBe('taken');
        await store.delete(tools, id);
        expect(await store.insert(tools, stored(id))).toBe('inserted');
        expect(await store.insert(tools, stored(id))).toBe('taken');
        expect(await store.nextInteger(tools)).toBe(7n);
      });

      test('is exact beyond 2^53', async () => {
        const store = await prepare();
        await store.insert(tools, { id: '9007199254740993', record: { id: 9007199254740993n } });
        expect(await store.nextInteger(tools)).toBe(9007199254740994n);
      });

      test('remembers records that are gone', async () => {
        const store = await prepare();
        await store.insert(tools, stored('8'));
        await store.delete(tools, '8');
        await store.delete(tools, '5');
        expect(await store.nextInteger(tools)).toBe(9n);
      });

      test('begins at 1, whatever else identifiers are', async () => {
        const store = await make();
        await store.seed(new Map([['tools', [stored('-7'), stored('abc'), stored('1.5')]]]));
        expect(await store.nextInteger(tools)).toBe(1n);
      });

      test('is counted by each session and collection for itself', async () => {
        const store = await prepare();
        await store.nextInteger(tools);
        expect(await store.nextInteger(elsewhere)).toBe(6n);
        expect(await store.nextInteger({ session: 'default', name: 'jobs' })).toBe(1n);
      });

      test('is never given twice to callers at the same time', async () => {
        const store = await prepare();
        const given = await Promise.all(Array.from({ length: 50 }, () => store.nextInteger(tools)));
        expect(new Set(given).size).toBe(50);
      });
    });

    test('of many that add the same identifier at the same time, one succeeds', async () => {
      const store = await prepare();
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.insert(tools, stored('77', { index }))),
      );
      expect(added.filter((insertion) => insertion === 'inserted')).toHaveLength(1);
    });

    test('of many that remove the same record at the same time, one succeeds', async () => {
      const store = await prepare();
      const removed = await Promise.all(Array.from({ length: 20 }, () => store.delete(tools, '1')));
      expect(removed.filter(Boolean)).toHaveLength(1);
    });

    test('resets one session, or all', async () => {
      const store = await prepare();
      for (const collection of [tools, elsewhere]) {
        await store.insert(collection, stored('3'));
        await store.delete(collection, '1');
      }
      await store.reset('default');
      expect(await store.list(tools)).toEqual(fixtures.get('tools'));
      expect(await ids(store, elsewhere)).toEqual(['5', '3']);
      expect(await store.nextInteger(tools)).toBe(6n);
      await store.reset();
      expect(await store.list(elsewhere)).toEqual(fixtures.get('tools'));
      await store.reset('never seen');
      expect(await store.list(tools)).toEqual(fixtures.get('tools'));
    });

    test('seeding replaces the fixtures, and keeps the changes of sessions', async () => {
      const store = await prepare();
      await store.insert(tools, stored('3'));
      await store.insert(tools, stored('7', { name: 'mine' }));
      await store.replace(tools, stored('5', { name: 'changed' }));
      await store.delete(tools, '1');
      const more: Fixtures = new Map([
        ['tools', [stored('7', { name: 'new' }), stored('1'), stored('6')]],
        ['jobs', [stored('a')]],
      ]);
      await store.seed(more);
      expect(await store.list(tools)).toEqual([
        stored('6'),
        stored('5', { name: 'changed' }),
        stored('3'),
        stored('7', { name: 'mine' }),
      ]);
      expect(await store.list(elsewhere)).toEqual(more.get('tools'));
      expect(await ids(store, { session: 'default', name: 'jobs' })).toEqual(['a']);
      expect(await store.nextInteger(tools)).toBe(8n);
      await store.reset();
      expect(await store.list(tools)).toEqual(more.get('tools'));
    });

    describeQueries(make);
    describeDumps(make);

    test('holds no more added records than it may', async () => {
      const store = await make({ records: 2 });
      await store.seed(fixtures);
      expect(await store.insert(tools, stored('11'))).toBe('inserted');
      expect(await store.insert(elsewhere, stored('12'))).toBe('inserted');
      expect(await store.insert(tools, stored('13'))).toBe('full');
      expect(await store.insert(tools, stored('11'))).toBe('taken');
      expect(await store.get(tools, '13')).toBeUndefined();
      expect(await store.replace(tools, stored('1', { name: 'still' }))).toBe(true);
      await store.delete(elsewhere, '12');
      expect(await store.insert(tools, stored('13'))).toBe('inserted');
      expect(await store.insert(tools, stored('14'))).toBe('full');
      await store.reset('default');
      expect(await store.insert(elsewhere, stored('14'))).toBe('inserted');
    });

    test('holds no record that is longer than it may be', async () => {
      const store = await make({ record: 1_000 });
      await store.seed(fixtures);
      const long = stored('11', { name: 'x'.repeat(1_000) });
      const refusal = expect.objectContaining({ code: 'record-too-large' }) as unknown;
      expect(store.recordLimit).toBe(1_000);
      await expect(async () => store.insert(tools, long)).rejects.toEqual(refusal);
      await expect(async () => store.replace(tools, { ...long, id: '1' })).rejects.toEqual(refusal);
      await expect(
        store.restore('default', { collections: { tools: { records: [long], greatest: '0' } } }),
      ).rejects.toEqual(refusal);
      expect(await store.get(tools, '11')).toBeUndefined();
      expect(await store.insert(tools, stored('11', { name: 'x'.repeat(900) }))).toBe('inserted');
    });

    test('can be closed', async () => {
      const store = await prepare();
      expect(await store.close()).toBeUndefined();
    });
  });
}
