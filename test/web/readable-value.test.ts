import { expect, test } from 'vitest';
import { compareValues, isOpaque, readableValue } from '../../web/console/readable-value.ts';

test.each<[unknown, string]>([
  [undefined, ''],
  [null, ''],
  [false, 'false'],
  ['2030-01-02T03:04:05.678Z', '2030-01-02 03:04'],
  ['2030-01-02T03:04:05+02:00', '2030-01-02 03:04 +02:00'],
  ['2030-01-02', '2030-01-02'],
  [['north', 'south'], 'north, south'],
  [[{ id: 1 }], '1 item'],
  [{ city: 'Lund', at: { x: 1 } }, 'city: Lund, at: …'],
])('%j is shown as %s', (value, text) => {
  expect(readableValue(value)).toBe(text);
});

test('long keys are opaque, words and addresses are not', () => {
  const texts = ['324703d6-acf2-4fc3-a9a9-e5aed2f9d87c', 'cus_ab12', 'a.person@example.com'];
  expect(texts.map(isOpaque)).toEqual([true, false, false]);
});

test('numbers are sorted by size, and what is missing comes last', () => {
  expect([10, undefined, 9, '2'].toSorted(compareValues)).toEqual(['2', 9, 10, undefined]);
  expect([null, 'b', 'A'].toSorted(compareValues)).toEqual(['A', 'b', null]);
});
