import { expect, test } from 'vitest';
import { jsonContent, makeContract } from '../make-contract.ts';
import type { JsonObject } from '../../../src/json/value.ts';

/** The filters and ranges of a list whose records write a number in some form. */
function selected(weight: JsonObject): readonly string[] {
  const note = { type: 'object', properties: { id: { type: 'string' }, weight } };
  const whole = { type: 'integer' };
  const parameters = ['weight', 'weight_min', 'owner'].map((name) => ({
    name,
    in: 'query',
    schema: whole,
  }));
  const [notes] = makeContract({
    paths: {
      '/notes': {
        get: {
          parameters,
          responses: {
            200: { description: 'All.', ...jsonContent({ type: 'array', items: note }) },
          },
        },
        post: { requestBody: jsonContent(note), responses: { 201: { description: 'Made.' } } },
      },
    },
  }).resources;
  const ranges = (notes?.list?.ranges ?? []).map(
    ({ field, op, bound }) => `${field} ${op}, the bound ${bound}`,
  );
  return [...(notes?.list?.filters ?? []).map(({ field }) => field), ...ranges];
}

test.each<[string, JsonObject]>([
  ['in digits', { type: 'string', pattern: '^[0-9]+$' }],
  ['in words of digits', { type: 'string', enum: ['0', '1', '2'] }],
  ['as a number', { type: 'integer' }],
])('a number that records write %s is filtered by numbers', (_how, weight) => {
  expect(selected(weight)).toEqual(['weight', 'weight gte, the bound included']);
});

test.each<[string, JsonObject]>([
  ['any text', { type: 'string' }],
  ['a text of letters and digits', { type: 'string', pattern: '^[0-9a-f]+$' }],
])('%s is not', (_what, weight) => {
  expect(selected(weight)).toEqual([]);
});
