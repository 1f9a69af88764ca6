import { expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const thing: JsonObject = {
  type: 'object',
  required: ['name', 'kind'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    kind: { type: 'string', enum: ['a', 'b'] },
    size: { type: 'integer' },
  },
};

/** The query by which a list is asked after a refused create, where it answers so. */
function lookFor(list: JsonObject): string {
  const parameters = [
    { name: 'size', in: 'query', schema: { type: 'integer' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  ];
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'list',
          parameters,
          responses: { 200: { description: 'ok', ...jsonContent(list) } },
        },
        post: {
          operationId: 'create',
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: thing, example: { name: 'x', kind: 'a', size: 7 } },
            },
          },
          responses: { 201: { description: 'made', ...jsonContent(thing) } },
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'read',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', ...jsonContent(thing) } },
        },
      },
    },
  });
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract,
    seed: 'refusals',
    mode: 'read-write',
  });
  const looks = requests
    .filter(({ title }) => title === 'the list is asked for after a refused create')
    .map(({ url }) => new URL(url).search);
  expect(looks).toHaveLength(1);
  return looks[0] ?? '';
}

const only: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};

/** The refused creates of records with one field, where their list answers so. */
function refusedCreates(list: JsonObject): string[] {
  const answer = (schema: JsonObject): JsonObject => ({
    responses: { 200: { description: 'ok', ...jsonContent(schema) } },
  });
  const contract = makeContract({
    paths: {
      '/things': {
        get: { operationId: 'list', ...answer(list) },
        post: {
          operationId: 'create',
          requestBody: { required: true, ...jsonContent(only) },
          responses: { 201: { description: 'made', ...jsonContent(only) } },
        },
      },
    },
  });
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract,
    seed: 'refusals',
    mode: 'read-write',
  });
  return requests.flatMap(({ title }) => (title.includes('refused create') ? [title] : []));
}

test('plans no refused create if its record could not be recognised', () => {
  expect(refusedCreates({ type: 'array', items: only })).toEqual([]);
});

test('a list with a total counts records that could not be recognised', () => {
  const items = { type: 'array', items: only };
  const total = { type: 'integer', minimum: 0 };
  expect(
    refusedCreates({ type: 'object', required: ['items', 'total'], properties: { items, total } }),
  ).toHaveLength(2);
});

test('filters the list by what the refused creates have in common', () => {
  expect(lookFor({ type: 'array', items: thing })).toBe('?limit=100&size=7');
});

test('does not filter a list with a total, which shows any new record', () => {
  expect(
    lookFor({
      type: 'object',
      required: ['items', 'total'],
      properties: { items: { type: 'array', items: thing }, total: { type: 'integer' } },
    }),
  ).toBe('?limit=100');
});
