import { expect, test } from 'vitest';
import {
  countOf,
  countsOf,
  formatDuration,
  formatNumber,
  joinWords,
  roughDuration,
} from '../../src/text/counts.ts';

test('whole seconds are never fewer than there are', () => {
  expect([0, 7_001, 59_500, 125_000].map(roughDuration)).toEqual([
    '0 s',
    '8 s',
    '1 min 0 s',
    '2 min 5 s',
  ]);
});

test('counts in words', () => {
  expect([countOf(0, 'error'), countOf(1, 'error'), countOf(12345, 'request')]).toEqual([
    '0 errors',
    '1 error',
    '12,345 requests',
  ]);
  expect(
    countsOf([
      [2, 'error'],
      [0, 'warning'],
      [1, 'note'],
    ]),
  ).toBe('2 errors, 1 note');
  expect(countsOf([[0, 'error']])).toBe('none');
  expect([joinWords([]), joinWords(['a']), joinWords(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a, b and c',
  ]);
});

test.each([
  [0, '0 ms'],
  [3.2, '3 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [59_994, '59.99 s'],
  [59_996, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms reads %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test.each([
  0, 7, 999, 1000, 1001, 12_345, 999_999, 1_000_000, 9_007_199_254_740_991, -1, -999, -1000,
  -123_456,
])('%d is grouped as the locale groups it', (number) => {
  expect(formatNumber(number)).toBe(number.toLocaleString('en-US'));
});
