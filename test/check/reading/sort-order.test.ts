import { describe, expect, test } from 'vitest';
import { misplaced } from '../../../src/check/reading/sort-order.ts';
import type { JsonValue } from '../../../src/json/value.ts';

describe('any order of a correct server is accepted', () => {
  const table: readonly (readonly [order: string, values: readonly JsonValue[]])[] = [
    ['by code point', ['B', 'Z', 'a', 'é']],
    ['without regard to case', ['a', 'B', 'c', 'Z']],
    ['with numbers counted', ['item 9', 'item 10']],
    ['with numbers as letters', ['item 10', 'item 9']],
    ['without regard to accents', ['ea', 'éb', 'ec']],
    ['without regard to punctuation', ['a-b', 'ab', 'a_c']],
    ['moments in several zones', ['2024-01-01T00:30:00+01:00', '2024-01-01T00:00:00Z']],
    ['64-bit integers', [9_007_199_254_740_992n, 9_007_199_254_740_993n]],
    ['integers and fractions', [1, 1.5, 2n]],
    ['yes before no', [true, true, false]],
    ['values of several kinds', ['a', 1, 'b']],
    ['nothing', []],
  ];

  test.each(table)('%s', (_order, values) => {
    expect(misplaced(values, { descending: false })).toBeUndefined();
    expect(misplaced(values.toReversed(), { descending: true })).toBeUndefined();
  });

  test('moments that are nearly the same', () => {
    const moments = ['2024-01-01T00:00:00.400Z', '2024-01-01T00:00:00.300Z'];
    expect(misplaced(moments, { descending: false, within: 1000 })).toBeUndefined();
    expect(misplaced(moments, { descending: false })).toEqual(moments);
  });

  test('the listed order of an enumeration', () => {
    expect(
      misplaced(['low', 'middle', 'high'], {
        descending: false,
        listed: ['low', 'middle', 'high'],
      }),
    ).toBeUndefined();
    expect(misplaced(['low', 'middle', 'high'], { descending: false })).toEqual(['middle', 'high']);
  });
});

describe('a value that is misplaced in every order is reported', () => {
  const table: readonly (readonly [
    values: readonly JsonValue[],
    pair: readonly [JsonValue, JsonValue],
  ])[] = [
    [
      [10, 9],
      [10, 9],
    ],
    [
      ['b', 'a', 'c'],
      ['b', 'a'],
    ],
    [
      ['2024-03-01', '2024-02-01'],
      ['2024-03-01', '2024-02-01'],
    ],
    [
      [true, false, true],
      [true, false],
    ],
  ];

  test.each(table)('%j', (values, pair) => {
    expect(misplaced(values, { descending: false })?.map(String)).toEqual(pair.map(String));
  });
});
