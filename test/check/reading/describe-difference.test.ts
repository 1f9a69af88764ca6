import { expect, test } from 'vitest';
import { describeDifference } from '../../../src/check/topics/records/created-once.ts';

test('a difference names the innermost place and both values', () => {
  expect(describeDifference({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } })).toBe(
    'a.c is 3 instead of 2',
  );
  expect(describeDifference({ a: 1 }, { b: 1 })).toBe('a is nothing instead of 1');
  expect(describeDifference([1], [1, 2])).toBe('1 is 2 instead of nothing');
  expect(describeDifference(1, 'x')).toBe('the body is "x" instead of 1');
});

test('equal bodies have no difference', () => {
  expect(describeDifference({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBeUndefined();
});
