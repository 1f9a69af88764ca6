import { expect, test } from 'vitest';
import { toldExamples } from '../../../src/contract/words/told-examples.ts';
import { makeSchema } from '../../values/make-schema.ts';

function valuesOf(description: string, type = 'string'): unknown[] {
  const schema = makeSchema({ type });
  return toldExamples({ description, schema, pointer: '/p' }).map(({ value }) => value);
}

test.each([
  ['The code of the airport, e.g. OSL for Oslo.', ['OSL']],
  ['The month (e.g. 2016-12-01).', ['2016-12-01']],
  ['Its handle (example: `nora@shop`), lower-case.', ['nora@shop']],
  ['For example "12-a".', ['12-a']],
  ['A word such as <em>B7</em>.', ['B7']],
  ['For instance: Q4, which is the last.', ['Q4']],
  ['For example, to list them all, leave it out; e.g. "all".', ['all']],
])('a description shows a value: %s', (description, values) => {
  expect(valuesOf(description)).toEqual(values);
  expect(valuesOf(description, 'integer')).toEqual([]);
});

test.each([
  ['For example, to list them all, leave it out.'],
  ['The token, e.g. `Bearer <token>`.'],
  ['Its key, e.g. "Cxxxxxxxx".'],
  ['A name of a station.'],
  ['For example `a b`.'],
])('a description shows no value: %s', (description) => {
  expect(valuesOf(description)).toEqual([]);
});
