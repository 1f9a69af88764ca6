import { describe, expect, test } from 'vitest';
import { equalJson } from '../../../src/json/equal-json.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { compareJson } from '../../../src/store/field-values.ts';
import { hashJson } from '../../../src/store/query/field-index.ts';
import { fc } from '../../property.ts';

const scalars: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue[]>(
    null,
    true,
    false,
    0,
    -0,
    1,
    1n,
    2 ** 53,
    2n ** 53n,
    2n ** 53n + 1n,
    2 ** 64,
    2n ** 64n,
    0.1,
    1e300,
    '',
    '1',
    'a',
    'A',
    'é',
    '\uffff',
    '\u{1f600}',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.string(),
  fc.string({ minLength: 120, maxLength: 140, unit: fc.constantFrom('a', 'b') }),
);
const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

describe('the order of JSON values', () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, number]>([
    [1, 2, -1],
    [1, 1n, 0],
    [0, -0, 0],
    [9007199254740992, 9007199254740993n, -1],
    [2n ** 64n, 0.5, 1],
    [5, '1', -1],
    ['10', '9', -1],
    ['a', 'B', 1],
    ['z', false, -1],
    [false, true, -1],
    [true, [], -1],
    [[], {}, -1],
    [{}, null, -1],
    [null, undefined, 0],
    [[1, 2], [1n, 2], 0],
    [[1], [2], -1],
    [{ a: 1, b: 2 }, { b: 2n, a: 1 }, 0],
  ])('%o and %o', (left, right, expected) => {
    expect(Math.sign(compareJson(left, right))).toBe(expected);
    expect(Math.sign(compareJson(right, left))).toBe(expected === 0 ? 0 : -expected);
  });

  test('is one order, and agrees with equality', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(Math.sign(compareJson(a, b))).toBe(0 - Math.sign(compareJson(b, a)));
        if (compareJson(a, b) <= 0 && compareJson(b, c) <= 0)
          expect(compareJson(a, c)).toBeLessThanOrEqual(0);
        expect(compareJson(a, b) === 0).toBe(equalJson(a, b));
      }),
      { numRuns: 2000 },
    );
  });
});

test('equal values have one hash, and different ones of a column rarely', () => {
  fc.assert(
    fc.property(values, values, (a, b) => !equalJson(a, b) || hashJson(a) === hashJson(b)),
    { numRuns: 2000 },
  );
  expect(hashJson(5n)).toBe(hashJson(5));
  expect(hashJson(-0)).toBe(hashJson(0));
  const columns = [
    Array.from({ length: 10_000 }, (_, index) => index),
    Array.from({ length: 10_000 }, (_, index) => `name ${String(index)}`),
    Array.from({ length: 10_000 }, (_, index) => index / 7),
  ];
  for (const column of columns)
    expect(new Set(column.map((value) => hashJson(value) & 0x3fff)).size).toBeGreaterThan(6000);
});
