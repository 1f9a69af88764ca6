import { expect, test } from 'vitest';
import type { ListShape } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const record = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    term: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    owner: { type: 'object', properties: { name: { type: 'string' }, city: { type: 'string' } } },
  },
};

/** What the query parameters of a list are read as, all of them texts. */
function listOf(...names: string[]): ListShape {
  const parameters = names.map((name): JsonObject => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }));
  const [resource] = makeContract({
    paths: {
      '/things': {
        get: {
          parameters,
          responses: {
            200: { description: 'Fine', ...jsonContent({ type: 'array', items: record }) },
          },
        },
      },
    },
  }).resources;
  if (resource?.list === undefined) throw new Error('The contract has no list.');
  return resource.list;
}

test('a sort word prefers a scalar field of the record to a nested one', () => {
  expect([...(listOf('sort').sort?.fields ?? [])].sort()).toEqual([
    ['id', 'id'],
    ['name', 'name'],
    ['ownercity', 'owner.city'],
    ['ownername', 'owner.name'],
    ['term', 'term'],
  ]);
});

test('a filter is not a search parameter', () => {
  const { filters, search } = listOf('name', 'term');
  expect(filters.map(({ field }) => field)).toEqual(['name', 'term']);
  expect(search).toBeUndefined();
});

test('a parameter without a field of its name is a search', () => {
  expect(listOf('name', 'q').search?.name).toBe('q');
});
