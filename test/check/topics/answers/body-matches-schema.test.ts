import { describe, expect, test } from 'vitest';
import { bodyMatchesSchema } from '../../../../src/check/topics/answers/body-matches-schema.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

function listing(schema: JsonValue): Contract {
  return makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: { 200: { description: 'ok', ...jsonContent(schema) } },
        },
      },
    },
  });
}

function told(schema: JsonValue, answer: JsonValue): readonly string[] | undefined {
  return bodyMatchesSchema
    .inspect(talk(listing(schema), [{ ask: 'GET /things', answer }]))
    ?.map(({ message, actual }) => `${message} ${actual}`);
}

const many = (count: number, item: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, index) => item(index));

const missing = 'In the 200 response, the value at /0 must have the property name. name is missing';
const wrongType =
  'In the 200 response, the value at /0/id must be an integer, but is a string. "x"';

describe('a body with very many wrong items', () => {
  const list = { type: 'array', items: thing };

  test('has each kind of violation named, and its wrong items counted', () => {
    expect(
      told(
        list,
        many(30_000, () => ({ id: 'x' })),
      ),
    ).toEqual([
      `${missing}; 30,000 of 30,000 items do not conform`,
      `${wrongType}; 30,000 of 30,000 items do not conform`,
    ]);
  });

  test('counts the items of a list in an envelope', () => {
    const page = { type: 'object', properties: { things: list, total: { type: 'integer' } } };
    const things = many(20_000, (index) => (index % 4 === 0 ? { id: 'x' } : { id: 1, name: 'a' }));
    expect(told(page, { total: 20_000, things })).toEqual([
      `${missing.replace('/0', '/things/0')}; 5,000 of 20,000 items do not conform`,
      `${wrongType.replace('/0', '/things/0')}; 5,000 of 20,000 items do not conform`,
    ]);
  });

  test('names what is wrong beyond the first items, too', () => {
    const items = many(20_000, (index) => (index < 19_999 ? { id: 1, name: 'a' } : { id: 2 }));
    expect(told(list, items)).toEqual([
      'In the 200 response, the value at /19999 must have the property name. name is missing; ' +
        '1 of 20,000 items do not conform',
    ]);
  });

  test('accuses no shortened list of being too short, nor of a choice that it would break', () => {
    const least = { ...list, minItems: 10_000 };
    const either = { anyOf: [{ type: 'array', maxItems: 3 }, least] };
    const items = many(15_000, () => ({ id: 'x' }));
    expect(told(least, items)).toHaveLength(2);
    expect(told(either, items)).toEqual([
      expect.stringContaining('the body must match one of the 2 alternatives'),
    ]);
  });

  test('a short list is not counted', () => {
    expect(
      told(
        list,
        many(3, () => ({ id: 'x' })),
      ),
    ).toEqual([missing, wrongType]);
  });
});

test.each([
  [
    'several alternatives that overlap',
    { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    'warning',
  ],
  ['no alternative', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }, undefined],
])('a value that matches %s', (_which, schema, severity) => {
  const [found] =
    bodyMatchesSchema.inspect(talk(listing(schema), [{ ask: 'GET /things', answer: 1 }])) ?? [];
  expect(found).toMatchObject({ cause: '' });
  expect(found?.severity).toBe(severity);
});
