import { expect, test } from 'vitest';
import { remember } from '../src/remember.ts';
import { RecentMap } from '../src/store/recent-map.ts';

test.each([
  new Map<object, number>(),
  new WeakMap<object, number>(),
  new RecentMap<object, number>(2),
])('a value is made once for a key', (known) => {
  const key = {};
  let made = 0;
  expect([1, 2].map(() => remember(known, key, () => (made += 1)))).toEqual([1, 1]);
  expect(remember(known, {}, () => (made += 1))).toBe(2);
});

test('undefined is a value too', () => {
  const asked: string[] = [];
  const known = new Map<string, undefined>();
  for (const key of ['a', 'a', 'b']) remember(known, key, (one) => void asked.push(one));
  expect(asked).toEqual(['a', 'b']);
});

test('what forgets makes a value again', () => {
  const known = new RecentMap<string, number>(1);
  let made = 0;
  const values = ['a', 'b', 'a'].map((key) => remember(known, key, () => (made += 1)));
  expect(values).toEqual([1, 2, 3]);
});
