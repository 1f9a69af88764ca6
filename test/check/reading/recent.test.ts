import { expect, test } from 'vitest';
import { Recent } from '../../../src/check/reading/recent.ts';

const keys = Array.from({ length: 40 }, (_none, index) => ({ index }));

test('a result is cached for a while and then evicted', () => {
  const recent = new Recent<object, number>();
  for (const key of keys) expect(recent.set(key, key.index * 2)).toBe(key.index * 2);
  const known = keys.filter((key) => recent.get(key) !== undefined);
  expect(known.map((key) => recent.get(key))).toEqual(known.map(({ index }) => index * 2));
  expect(known).toEqual(keys.slice(-known.length));
  expect([known.length > 8, known.length < keys.length]).toEqual([true, true]);
});

test('an equal but different object is not in the cache', () => {
  const recent = new Recent<object, string>();
  recent.set({ index: 1 }, 'one');
  expect(recent.get({ index: 1 })).toBeUndefined();
});

test('a cache of recent results keeps one for a large key', () => {
  const recent = new Recent<{ readonly size: number }, string>(({ size }) => size > 10);
  const [small, first, second] = [{ size: 1 }, { size: 20 }, { size: 30 }];
  recent.set(small, 'small');
  recent.set(first, 'first');
  recent.set(second, 'second');
  expect([small, first, second].map((key) => recent.get(key))).toEqual([
    'small',
    undefined,
    'second',
  ]);
});
