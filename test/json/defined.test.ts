import { expect, test } from 'vitest';
import { defined } from '../../src/json/value.ts';

test('members that are undefined are left out', () => {
  expect(Object.keys(defined({ a: 1, b: undefined, c: null, d: false }))).toEqual(['a', 'c', 'd']);
});

test('the result can be spread where an absent member must stay absent', () => {
  const settings: { seed?: number } = { ...defined({ seed: undefined as number | undefined }) };
  expect('seed' in settings).toBe(false);
});
