import { describe, expect, test } from 'vitest';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { divideStore, type CollectionNames } from '../../src/store/store-part.ts';
import type { Fixtures, Store } from '../../src/store/store.ts';

/** The names of a part whose collections bear its own name before theirs. */
function namesOf(part: string): CollectionNames {
  return {
    toShared: (own) => `${part}:${own}`,
    toOwn: (shared) => (shared.startsWith(`${part}:`) ? shared.slice(part.length + 1) : undefined),
  };
}

const fixtures = (id: string): Fixtures => new Map([['things', [{ id, record: { id } }]]]);
const collection = { session: 's', name: 'things' };

async function divide(): Promise<{
  readonly whole: Store;
  readonly left: Store;
  readonly right: Store;
}> {
  const whole = makeMemoryStore();
  const [left, right] = divideStore(whole, ['left', 'right'].map(namesOf));
  if (left === undefined || right === undefined) throw new Error('no parts');
  await left.seed(fixtures('l1'));
  await right.seed(fixtures('r1'));
  return { whole, left, right };
}

const ids = async (store: Store): Promise<string[]> =>
  (await store.list(collection)).map(({ id }) => id);

describe('the parts of a store', () => {
  test('are separate even if their collections have the same names', async () => {
    const { whole, left, right } = await divide();
    expect(await left.insert(collection, { id: 'l2', record: { id: 'l2' } })).toBe('inserted');
    expect(await right.delete(collection, 'r1')).toBe(true);
    expect(await right.get(collection, 'l1')).toBeUndefined();
    expect([await ids(left), await ids(right)]).toEqual([['l1', 'l2'], []]);
    expect((await whole.list({ session: 's', name: 'left:things' })).map(({ id }) => id)).toEqual([
      'l1',
      'l2',
    ]);
  });

  test('replace fixtures without affecting other parts', async () => {
    const { left, right } = await divide();
    await left.seed(fixtures('l9'));
    expect([await ids(left), await ids(right)]).toEqual([['l9'], ['r1']]);
  });

  test('dump and restore only their own records', async () => {
    const { left, right } = await divide();
    await left.insert(collection, { id: 'l2', record: { id: 'l2' } });
    await right.insert(collection, { id: 'r2', record: { id: 'r2' } });
    const dump = await left.dump('s');
    expect(Object.keys(dump.collections)).toEqual(['things']);
    await left.delete(collection, 'l1');
    await left.restore('s', dump);
    expect([await ids(left), await ids(right)]).toEqual([
      ['l1', 'l2'],
      ['r1', 'r2'],
    ]);
  });

  test('leave resetting and closing to the whole', async () => {
    const { whole, left } = await divide();
    await left.insert(collection, { id: 'l2', record: { id: 'l2' } });
    await left.reset('s');
    await left.close();
    expect(await ids(left)).toEqual(['l1', 'l2']);
    await whole.reset('s');
    expect(await ids(left)).toEqual(['l1']);
  });
});
