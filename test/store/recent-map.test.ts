import { expect, test } from 'vitest';
import { RecentMap } from '../../src/store/recent-map.ts';

test('a recent map drops the least recently used entry', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  map.set('a', 4);
  expect([map.get('a'), map.size]).toEqual([4, 2]);
  expect([map.delete('a'), map.delete('a'), map.size]).toEqual([true, false, 1]);
  map.clear();
  expect(map.size).toBe(0);
});
