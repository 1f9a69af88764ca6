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

test('a list is sorted by a field with one value, its own before those of an object in it', () => {
  expect([...(listOf('sort').sort?.fields ?? [])].sort()).toEqual([
    ['id', 'id'],
    ['name', 'name'],
    ['ownercity', 'owner.city'],
    ['ownername', 'owner.name'],
    ['term', 'term'],
  ]);
});

test('what filters does not search as well', () => {
  const { filters, search } = listOf('name', 'term');
  expect(filters.map(({ field }) => field)).toEqual(['name', 'term']);
  expect(search).toBeUndefined();
});

test('what no field is called searches', () => {
  expect(listOf('name', 'q').search?.name).toBe('q');
});
