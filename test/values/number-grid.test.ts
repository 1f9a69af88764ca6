import { describe, expect, test } from 'vitest';
import type { SchemaObject } from '../../src/contract/model.ts';
import { fromDecimal, toDecimal } from '../../src/json/decimal.ts';
import type { JsonType } from '../../src/json/json-type.ts';
import { gridIndex, gridOf, gridValue } from '../../src/values/number-value.ts';
import { viewOf } from '../../src/values/view.ts';
import { fc } from '../property.ts';
import { makeSchema } from './make-schema.ts';

function edgesOf(node: SchemaObject, type: JsonType): unknown {
  const schema = makeSchema(node);
  const grid = gridOf(viewOf(schema, [{ node, pointer: '' }]), type);
  return grid && [grid.low, grid.high].map((end) => end && gridValue(grid, end.index));
}

describe('the edges of', () => {
  test.each<[SchemaObject, JsonType, unknown]>([
    [{ minimum: 1, maximum: 100 }, 'integer', [1, 100]],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 10 }, 'integer', [1, 9]],
    [{ minimum: 0.5, maximum: 3.5 }, 'integer', [1, 3]],
    [{ minimum: 1, maximum: 100, multipleOf: 7 }, 'integer', [7, 98]],
    [{ minimum: 0, maximum: 1, multipleOf: 0.1 }, 'number', [0, 1]],
    [{ exclusiveMinimum: 0, maximum: 1 }, 'number', [0.01, 1]],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 0.01 }, 'number', [0.001, 0.009]],
    [{ minimum: 0, maximum: 3, multipleOf: 0.5 }, 'integer', [0, 3]],
    [{ format: 'int32' }, 'integer', [-2147483648, 2147483647]],
    [{ format: 'int64' }, 'integer', [-9223372036854775808n, 9223372036854775807n]],
    [{ format: 'int64', minimum: 1 }, 'integer', [1, 9223372036854775807n]],
    [{ minimum: 9007199254740993n }, 'integer', [9007199254740993n, undefined]],
    [{ allOf: [{ minimum: 3 }, { minimum: 5 }], minimum: 1 }, 'integer', [5, undefined]],
    [{ maximum: 1e21 }, 'number', [undefined, 10n ** 21n]],
    [{ minimum: 5, maximum: 4 }, 'integer', undefined],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 2 }, 'integer', undefined],
    [{ multipleOf: 10, minimum: 11, maximum: 19 }, 'integer', undefined],
  ])('%o as %s', (node, type, edges) => {
    expect(edgesOf(node, type)).toEqual(edges);
  });
});

describe('a decimal', () => {
  test('equals the written number', () => {
    expect([0.1, 1e21, 1e-7, -2.5, 9007199254740993n].map(toDecimal)).toEqual([
      { units: 1n, digits: 1 },
      { units: 10n ** 21n, digits: 0 },
      { units: 1n, digits: 7 },
      { units: -25n, digits: 1 },
      { units: 9007199254740993n, digits: 0 },
    ]);
  });

  test('converts back to the same number, beyond 2^53 as a bigint', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.maxSafeInteger(),
          fc.bigInt(),
        ),
        (value) => {
          expect(Number(fromDecimal(toDecimal(value)))).toBe(Number(value) + 0);
        },
      ),
    );
  });

  test('is undefined if no double can hold it', () => {
    expect(fromDecimal({ units: 10n ** 400n + 1n, digits: 1 })).toBeUndefined();
  });
});

test('the nearest number of a grid stays inside', () => {
  const node = { minimum: 1, maximum: 100 };
  const grid = gridOf(viewOf(makeSchema(node), [{ node, pointer: '' }]), 'integer');
  expect(grid && [-5, 19.99, 4000].map((value) => gridIndex(grid, value))).toEqual([1n, 19n, 100n]);
});
