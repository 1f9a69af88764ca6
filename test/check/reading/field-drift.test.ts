import { expect, test } from 'vitest';
import { DriftGatherer } from '../../../src/check/reading/field-drift.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';

/** What is proposed for a field that was seen with these values. */
function proposed(...values: readonly JsonValue[]): JsonObject | undefined {
  const gatherer = new DriftGatherer();
  for (const value of values)
    gatherer.note([{ pointer: '/components/schemas/Book', fields: [['more', value]] }]);
  return gatherer.drift().get('/components/schemas/Book')?.fields[0]?.schema;
}

test.each<[string, readonly JsonValue[], JsonObject]>([
  ['an integer', [1, 2], { type: 'integer' }],
  ['an integer that 32 bits do not hold', [1, 2_147_483_648], { type: 'integer', format: 'int64' }],
  [
    'an integer that no double holds',
    [9_007_199_254_740_993n],
    { type: 'integer', format: 'int64' },
  ],
  ['a number', [1, 1.5], { type: 'number' }],
  [
    'a moment',
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.5+01:00'],
    { type: 'string', format: 'date-time' },
  ],
  ['a text that is a day only now and then', ['2030-01-02', 'soon'], { type: 'string' }],
])('%s is documented as such', (_, values, expected) => {
  expect(proposed(...values)).toMatchObject(expected);
  expect(Object.hasOwn(proposed(...values) ?? {}, 'format')).toBe(
    Object.hasOwn(expected, 'format'),
  );
});
