import { expect, test } from 'vitest';
import { randomValue } from '../../../src/check/topics/validity/random-value.ts';
import { makeRandom } from '../../../src/values/random.ts';
import { makeSchema } from '../../values/make-schema.ts';

test.each([
  [
    'up to the edge of int64',
    { type: 'integer', format: 'int64', minimum: 0, maximum: 9_223_372_036_854_775_807n },
  ],
  [
    'from the other edge',
    { type: 'integer', format: 'int64', minimum: -9_223_372_036_854_775_808n, maximum: 0 },
  ],
  [
    'beyond 2^53 alone',
    {
      type: 'integer',
      format: 'int64',
      minimum: 9_007_199_254_740_993n,
      maximum: 9_223_372_036_854_775_807n,
    },
  ],
] as const)(
  'an integer %s is the integer that is sent: a double only where one holds it',
  (_where, node) => {
    const values = Array.from({ length: 50 }, (_, seed) =>
      randomValue(makeSchema(node), makeRandom(seed)),
    );
    expect(
      values.filter((value) => typeof value !== 'bigint' && !Number.isSafeInteger(value)),
    ).toEqual([]);
  },
);

test.each([
  ['boolean', { type: 'boolean' }, [false, true]],
  ['null', { type: 'null' }, [null]],
  ['boolean or null', { type: ['boolean', 'null'] }, [false, null, true]],
] as const)(
  'random values of the type %s are all of its values, and no others',
  (_name, node, expected) => {
    const values = new Set(
      Array.from({ length: 50 }, (_, seed) =>
        JSON.stringify(randomValue(makeSchema(node), makeRandom(seed))),
      ),
    );
    expect([...values].sort()).toEqual(expected.map((value) => JSON.stringify(value)));
  },
);

test('a random decimal is a multiple of its step, and not a whole number each time', () => {
  const schema = makeSchema({ type: 'number', multipleOf: 0.25, minimum: 0, maximum: 90 });
  const values = Array.from({ length: 40 }, (_, seed) => randomValue(schema, makeRandom(seed)));
  expect(values.filter((value) => Number(value) % 0.25 !== 0)).toEqual([]);
  expect(values.filter((value) => !Number.isInteger(value)).length).toBeGreaterThan(10);
});
