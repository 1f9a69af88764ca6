import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import { stringifyJson } from '../../src/json/value.ts';
import type {
  Fixtures,
  SessionDump,
  Collection,
  Store,
  StoredRecord,
} from '../../src/store/store.ts';
import type { MakeStore } from './make-store.ts';

const tools: Collection = { session: 'default', name: 'tools' };
const elsewhere: Collection = { session: 'elsewhere', name: 'tools' };

function stored(id: string, name = id): StoredRecord {
  return { id, record: { id: Number(id), name } };
}

const fixtures: Fixtures = new Map([
  ['tools', [stored('1'), stored('2'), stored('5')]],
  ['jobs', []],
]);

async function prepare(make: MakeStore, limits?: Parameters<MakeStore>[0]): Promise<Store> {
  const store = await make(limits);
  await store.seed(fixtures);
  return store;
}

/** As a snapshot goes over the network and comes back. */
function sent(dump: SessionDump): SessionDump {
  const read = parseJson(stringifyJson(dump));
  return (read.ok ? read.value : null) as SessionDump;
}

/** What every driver keeps of a snapshot. */
export function describeDumps(make: MakeStore): void {
  describe('a snapshot', () => {
    test('holds all that a session sees', async () => {
      const store = await prepare(make);
      await store.delete(tools, '1');
      await store.replace(tools, stored('5', 'axe'));
      await store.insert(tools, { id: '9007199254740993', record: { id: 9007199254740993n } });
      await store.insert({ session: 'default', name: 'notes' }, stored('7'));
      expect(await store.dump('default')).toEqual({
        collections: {
          tools: {
            records: [
              stored('2'),
              stored('5', 'axe'),
              { id: '9007199254740993', record: { id: 9007199254740993n } },
            ],
            greatest: '9007199254740993',
          },
          jobs: { records: [], greatest: '0' },
          notes: { records: [stored('7')], greatest: '7' },
        },
      });
      expect(await store.dump('never seen')).toEqual({
        collections: {
          tools: { records: fixtures.get('tools'), greatest: '5' },
          jobs: { records: [], greatest: '0' },
        },
      });
    });

    test('brings a session back, and another one to the same', async () => {
      const store = await prepare(make);
      await store.delete(tools, '1');
      await store.insert(tools, stored('8'));
      await store.insert(tools, stored('1', 'again'));
      await store.nextInteger(tools);
      const before = await store.list(tools);
      const dump = sent(await store.dump('default'));
      await store.delete(tools, '8');
      await store.replace(tools, stored('2', 'changed'));
      await store.insert({ session: 'default', name: 'later' }, stored('4'));
      await store.insert(elsewhere, stored('6'));
      await store.restore('default', dump);
      await store.restore('elsewhere', dump);
      expect(await store.list(tools)).toEqual(before);
      expect(await store.list(elsewhere)).toEqual(before);
      expect(await store.list({ session: 'default', name: 'later' })).toEqual([]);
      expect(await store.nextInteger(tools)).toBe(10n);
      expect(await store.nextInteger(elsewhere)).toBe(10n);
      expect(await store.delete(tools, '8')).toBe(true);
      expect(await store.list(elsewhere)).toEqual(before);
    });

    test('that is more than the store may hold changes nothing', async () => {
      const store = await prepare(make, { records: 3 });
      for (const id of ['11', '12']) await store.insert(tools, stored(id));
      const dump = await store.dump('default');
      await expect(store.restore('elsewhere', dump)).rejects.toMatchObject({ code: 'store-full' });
      expect(await store.list(elsewhere)).toEqual(fixtures.get('tools'));
      await store.restore('default', dump);
      expect(await store.insert(elsewhere, stored('13'))).toBe('inserted');
      expect(await store.insert(elsewhere, stored('14'))).toBe('full');
    });
  });

  test('names the sessions that have changed something', async () => {
    const store = await prepare(make);
    expect(await store.sessions()).toEqual([]);
    await store.list(tools);
    await store.insert(tools, stored('1'));
    await store.replace(tools, stored('99'));
    expect(await store.sessions()).toEqual([]);
    await store.nextInteger(tools);
    await store.insert({ session: 'b', name: 'tools' }, { id: 'x', record: {} });
    await store.delete({ session: 'b', name: 'tools' }, 'x');
    expect([...(await store.sessions())].sort()).toEqual(['b', 'default']);
    await store.reset('b');
    expect(await store.sessions()).toEqual(['default']);
    await store.reset();
    expect(await store.sessions()).toEqual([]);
  });
}
