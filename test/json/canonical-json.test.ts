import { expect, test } from 'vitest';
import { canonicalJson, equalJson } from '../../src/json/equal-json.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { fc } from '../property.ts';

test.each<[JsonValue, JsonValue]>([
  [0, -0],
  [5, 5n],
  [1e20, 100_000_000_000_000_000_000n],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
])('%j and its equal have one text', (left, right) => {
  expect(canonicalJson(left)).toBe(canonicalJson(right));
});

test.each<[JsonValue, JsonValue]>([
  [1, '1'],
  [9007199254740992, 9007199254740993n],
  [[1, 2], [12]],
  [{ a: null }, {}],
])('%j and %s have two texts', (left, right) => {
  expect(canonicalJson(left)).not.toBe(canonicalJson(right));
});

test('two values have the same text if and only if they are equal', () => {
  const value = fc.jsonValue({ maxDepth: 2 }).map((made) => made as JsonValue);
  fc.assert(
    fc.property(
      value,
      value,
      (left, right) => (canonicalJson(left) === canonicalJson(right)) === equalJson(left, right),
    ),
    { numRuns: 500 },
  );
});
