import { expect, test } from 'vitest';
import { KeyedMutex } from '../../../src/mock/guard-changes.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { RecordBrowser } from '../../../src/mock/control/record-browser.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const item: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, listId: { type: 'integer' }, name: { type: 'string' } },
};
const list: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
};
const names = (...all: string[]): JsonObject => ({
  parameters: all.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer' },
  })),
});
const answer = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'ok', ...jsonContent(schema) } },
});
const contract = makeContract({
  paths: {
    '/lists': { get: answer({ type: 'array', items: list }) },
    '/lists/{listId}': { ...names('listId'), get: answer(list) },
    '/lists/{listId}/items': { ...names('listId'), get: answer({ type: 'array', items: item }) },
    '/lists/{listId}/items/{itemId}': { ...names('listId', 'itemId'), get: answer(item) },
    '/clubs/{clubId}/rules': { ...names('clubId'), get: answer({ type: 'array', items: list }) },
    '/clubs/{clubId}/rules/{ruleId}': { ...names('clubId', 'ruleId'), get: answer(list) },
  },
});

function browser(): RecordBrowser {
  return new RecordBrowser(contract, makeMemoryStore(), new KeyedMutex());
}

const place = { session: 'a', resource: 'lists.items', parents: ['7'] };

test('a stored record gets its parents in its fields', async () => {
  const records = browser();
  expect(await records.put(place, { id: '5', record: { name: 'x' } })).toMatchObject({
    kind: 'created',
    stored: { record: { id: 5, listId: 7, name: 'x' } },
  });
  expect(
    await records.put({ ...place, parents: ['8'] }, { id: '6', record: { id: 6, listId: 8 } }),
  ).toMatchObject({ kind: 'created', stored: { record: { id: 6, listId: 8 } } });
});

test('a record with other parents in its fields is refused', async () => {
  const says = async (record: JsonObject): Promise<unknown> => {
    const put = await browser().put(place, { id: '5', record });
    return put.kind === 'broken'
      ? put.issues.map(({ at, message }) => `${at} ${message}`)
      : put.kind;
  };
  expect(await says({ listId: 8 })).toEqual(['/listId must be 7, as in the parent']);
  expect(await says({ id: 4 })).toEqual(['/id must be 5, as in the path']);
});

test.each([
  ['200', false],
  ['201', true],
  ['404', true],
  ['410', true],
])(
  'the one record of a singleton whose replacement documents %s may be taken away: %s',
  (status, removable) => {
    const theme: JsonObject = { type: 'object', properties: { theme: { type: 'string' } } };
    const settings = makeContract({
      paths: {
        '/settings': {
          get: answer(theme),
          put: {
            responses: {
              200: { description: 'ok', ...jsonContent(theme) },
              [status]: { description: 'ok', ...jsonContent(theme) },
            },
          },
        },
      },
    });
    expect(
      new RecordBrowser(settings, makeMemoryStore(), new KeyedMutex()).kinds.map((kind) => [
        kind.kind,
        kind.removable,
      ]),
    ).toEqual([['singleton', removable]]);
  },
);

test('a kind of record is listed with its known parents', () => {
  expect(browser().kinds.map(({ name, removable, parents }) => [name, removable, parents])).toEqual(
    [
      ['lists', true, []],
      ['lists.items', true, [{ parameter: 'listId', field: 'listId', resource: 'lists' }]],
      ['clubs.rules', true, [{ parameter: 'clubId', field: undefined, resource: undefined }]],
    ],
  );
});
