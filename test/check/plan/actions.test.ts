import { expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const record: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const made: JsonObject = { type: 'object', properties: { name: { type: 'string' } } };
const names = (...all: string[]): JsonObject => ({
  parameters: all.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer' },
  })),
});
const answer = (operationId: string, schema: JsonObject, status = 200): JsonObject => ({
  operationId,
  responses: { [status]: { description: 'ok', ...jsonContent(schema) } },
});
const add = (operationId: string): JsonObject => ({
  ...answer(operationId, record, 201),
  requestBody: { required: true, ...jsonContent(made) },
});
const lock = { operationId: 'lock', responses: { 204: { description: 'locked' } } };

/** The sequence that leads to a `lock`: its operations, one after the other. */
function leadingTo(paths: JsonObject): string[] {
  const { requests } = planCheck({
    url: 'http://127.0.0.1:1',
    contract: makeContract({ paths }),
    seed: 'actions',
  });
  const at = requests.findIndex(
    ({ operation, phase, title }) =>
      operation.id === 'lock' &&
      phase === 'sequence' &&
      title === 'a plain request on the created record',
  );
  return at === -1 ? [] : requests.slice(at - 1, at + 1).map(({ operation }) => operation.id);
}

const lists = {
  '/lists': { get: answer('listLists', { type: 'array', items: record }), post: add('addList') },
  '/lists/{listId}': { ...names('listId'), get: answer('getList', record) },
};
const items = {
  '/lists/{listId}/items': {
    ...names('listId'),
    get: answer('listItems', { type: 'array', items: record }),
    post: add('addItem'),
  },
  '/lists/{listId}/items/{itemId}': {
    ...names('listId', 'itemId'),
    get: answer('getItem', record),
  },
};

test.each<[string, JsonObject, string[]]>([
  [
    'a record',
    { ...lists, '/lists/{listId}/lock': { ...names('listId'), post: lock } },
    ['addList', 'lock'],
  ],
  [
    'a record below another',
    {
      ...lists,
      ...items,
      '/lists/{listId}/items/{itemId}/lock': { ...names('listId', 'itemId'), post: lock },
    },
    ['addItem', 'lock'],
  ],
  [
    'a record that nobody can create',
    {
      '/lists': { get: answer('listLists', { type: 'array', items: record }) },
      '/lists/{listId}': lists['/lists/{listId}'],
      '/lists/{listId}/lock': { ...names('listId'), post: lock },
    },
    [],
  ],
])('what is done to %s is done to one that was created for it', (_, paths, expected) => {
  expect(leadingTo(paths)).toEqual(expected);
});
