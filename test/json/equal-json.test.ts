import { describe, expect, test } from 'vitest';
import { equalJson } from '../../src/json/equal-json.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { anyJson } from './json-arbitraries.ts';

const same: readonly (readonly [JsonValue, JsonValue])[] = [
  [null, null],
  [5, 5n],
  [5n, 5],
  [0, -0],
  [1e20, 100000000000000000000n],
  [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ],
  [[], []],
  [{}, {}],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
];

const different: readonly (readonly [JsonValue, JsonValue])[] = [
  [null, 0],
  [null, {}],
  [null, []],
  [false, 0],
  [1, '1'],
  [5n, '5'],
  [5n, true],
  [9007199254740992, 9007199254740993n],
  [9007199254740992n, 9007199254740993n],
  [0.1, 0.2],
  ['é', 'e\u0301'],
  [[], {}],
  [{}, []],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: null }, { b: null }],
  [{ a: { b: [1, { c: 1 }] } }, { a: { b: [1, { c: 2 }] } }],
  [JSON.parse('{"__proto__":1}'), { a: 1 }],
  [{ toString: 1 }, { valueOf: 1 }],
];

describe('equalJson', () => {
  test.each(same)('%o equals %o', (left, right) => {
    expect(equalJson(left, right)).toBe(true);
    expect(equalJson(right, left)).toBe(true);
  });

  test.each(different)('%o differs from %o', (left, right) => {
    expect(equalJson(left, right)).toBe(false);
    expect(equalJson(right, left)).toBe(false);
  });

  test('a copy with its names in another order is equal', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(equalJson(value, reordered(value))).toBe(true);
      }),
    );
  });

  test('is symmetric', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (left, right) => {
        expect(equalJson(left, right)).toBe(equalJson(right, left));
      }),
    );
  });

  test('a value with one more item is not equal', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 4 }), anyJson, (items, item) => {
        expect(equalJson(items, [...items, item])).toBe(false);
      }),
    );
  });
});

function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]: [string, JsonValue]) => [name, reordered(member)]),
  );
}
