import { expect, test } from 'vitest';
import {
  restoreSnapshot,
  takeSnapshot,
  type Snapshot,
} from '../../../src/mock/control/snapshot.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import type { Store } from '../../../src/store/store.ts';

const things = (session: string): { session: string; name: string } => ({
  session,
  name: 'things',
});

async function fill(store: Store, session: string, ...ids: string[]): Promise<void> {
  for (const id of ids)
    expect(await store.insert(things(session), { id, record: { id } })).toBe('inserted');
}

async function idsIn(store: Store, session: string): Promise<string[]> {
  return (await store.list(things(session))).map(({ id }) => id);
}

/** Two sessions with two records each. */
async function makeFour(): Promise<Snapshot> {
  const store = makeMemoryStore();
  await fill(store, 'one', '1', '2');
  await fill(store, 'two', '3', '4');
  return takeSnapshot(store);
}

test('a snapshot that does not fit changes nothing', async () => {
  const store = makeMemoryStore({ records: 3 });
  await fill(store, 'one', '9');
  await fill(store, 'three', '8', '7');
  await expect(restoreSnapshot(store, await makeFour())).rejects.toMatchObject({
    code: 'store-full',
  });
  expect([
    await idsIn(store, 'one'),
    await idsIn(store, 'two'),
    await idsIn(store, 'three'),
  ]).toEqual([['9'], [], ['8', '7']]);
  expect([...(await store.sessions())].sort()).toEqual(['one', 'three']);
  expect(await store.insert(things('one'), { id: '10', record: {} })).toBe('full');
});

test('a snapshot that fits only without the present records is restored', async () => {
  const store = makeMemoryStore({ records: 4 });
  await fill(store, 'one', '9');
  await fill(store, 'three', '8', '7');
  await restoreSnapshot(store, await makeFour());
  expect([
    await idsIn(store, 'one'),
    await idsIn(store, 'two'),
    await idsIn(store, 'three'),
  ]).toEqual([['1', '2'], ['3', '4'], []]);
});
