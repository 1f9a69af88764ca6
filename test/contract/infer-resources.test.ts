import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { jsonContent, makeContract } from './make-contract.ts';

const book = {
  type: 'object',
  required: ['isbn'],
  properties: { isbn: { type: 'string' }, title: { type: 'string' }, year: { type: 'integer' } },
};
const text = { type: 'string' };
const components = { schemas: { Book: book } };
const ref = { $ref: '#/components/schemas/Book' };

function answer(schema: JsonValue, status = 200): JsonObject {
  return { responses: { [status]: { description: 'ok', ...jsonContent(schema) } } };
}

describe('resources are inferred from the contract', () => {
  test('a PUT replaces the record that its body describes, not one that it only names', () => {
    const one = { parameters: [{ name: 'isbn', in: 'path', required: true, schema: text }] };
    const putting = (properties: JsonObject): readonly unknown[] => {
      const { resources } = makeContract({
        components,
        paths: {
          '/books': {
            get: { ...answer({ type: 'array', items: ref }) },
            put: {
              requestBody: jsonContent({ type: 'object', required: ['book_isbn'], properties }),
              responses: { 200: { description: 'ok' } },
            },
          },
          '/books/{isbn}': { ...one, get: { ...answer(ref) } },
        },
      });
      return resources.flatMap(({ byValue }) => byValue.map(({ action, name }) => [action, name]));
    };
    expect(putting({ book_isbn: text })).toEqual([]);
    expect(putting({ book_isbn: text, title: text })).toEqual([['replace', 'book_isbn']]);
  });

  test('list, create, read, replace, update and delete of one kind of record', () => {
    const { resources, unplaced } = makeContract({
      components,
      paths: {
        '/books': {
          get: {
            operationId: 'list',
            parameters: [
              { name: 'year', in: 'query', schema: { type: 'integer' } },
              {
                name: 'pageSize',
                in: 'query',
                schema: { type: 'integer', maximum: 50, default: 10 },
              },
            ],
            ...answer({ type: 'array', items: ref }),
          },
          post: { operationId: 'create', requestBody: jsonContent(ref), ...answer(ref, 201) },
        },
        '/books/{isbn}': {
          get: { operationId: 'read', ...answer(ref) },
          put: { operationId: 'replace', requestBody: jsonContent(ref), ...answer(ref) },
          patch: { operationId: 'update', requestBody: jsonContent(ref), ...answer(ref) },
          delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
        },
      },
    });
    expect(unplaced).toEqual([]);
    expect(resources).toHaveLength(1);
    expect(
      Object.entries(resources[0]?.operations ?? {}).map(
        ([action, operation]) => `${action}=${operation.id}`,
      ),
    ).toEqual([
      'list=list',
      'create=create',
      'read=read',
      'replace=replace',
      'update=update',
      'delete=remove',
    ]);
    expect(resources[0]).toMatchObject({
      name: 'books',
      identifier: { field: 'isbn', parameter: 'isbn', type: 'string' },
      list: { records: '', limit: { maximum: 50, default: 10 } },
    });
    expect(resources[0]?.list?.filters.map(({ field }) => field)).toEqual(['year']);
  });

  test('each operation has a role, and the reasons use its name', () => {
    const { operations, inference } = makeContract({
      components,
      paths: {
        '/books': { get: answer({ type: 'array', items: ref }) },
        '/books/{isbn}': {
          get: { operationId: 'read', ...answer(ref) },
          delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
        },
      },
    });
    expect(operations.map((operation) => inference.placementOf(operation))).toMatchObject([
      { action: 'list' },
      { action: 'read' },
      { action: 'delete' },
    ]);
    expect(
      inference.resources[0]?.why.filter((reason) => / is (list|read): /.test(reason)),
    ).toEqual([
      'GET /books is list: it is a GET on the collection and returns an array of records.',
      "read (GET /books/{isbn}) is read: it is a GET on an item's path and returns an object.",
    ]);
  });

  test('a POST on an item that returns the record is its only update', () => {
    const { resources } = makeContract({
      components,
      paths: {
        '/books': { get: { operationId: 'list', ...answer({ type: 'array', items: ref }) } },
        '/books/{isbn}': {
          get: { operationId: 'read', ...answer(ref) },
          post: {
            operationId: 'change',
            requestBody: jsonContent({ type: 'object' }),
            ...answer(ref),
          },
        },
      },
    });
    expect(resources[0]?.operations.update?.id).toBe('change');
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'a list alone',
      { get: { operationId: 'list', ...answer({ type: 'array', items: ref }) } },
      ['list'],
    ],
    [
      'a list and a create',
      {
        get: { operationId: 'list', ...answer({ type: 'array', items: ref }) },
        post: { operationId: 'create', requestBody: jsonContent(ref), ...answer(ref, 201) },
      },
      ['list', 'create'],
    ],
    [
      'a create alone, which nobody can look at',
      { post: { operationId: 'create', requestBody: jsonContent(ref), ...answer(ref, 201) } },
      [],
    ],
  ])('%s', (_name, collection, expected) => {
    const { resources } = makeContract({
      components,
      paths: {
        '/books': collection,
        '/books/{isbn}': {
          delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
        },
      },
    });
    expect(
      Object.keys(resources[0]?.operations ?? {}).filter((action) => action !== 'delete'),
    ).toEqual(expected);
  });

  test('a PUT on an item is not an update, nor is a POST with another purpose', () => {
    const { resources } = makeContract({
      components,
      paths: {
        '/books': { get: { operationId: 'list', ...answer({ type: 'array', items: ref }) } },
        '/books/{isbn}': {
          get: { operationId: 'read', ...answer(ref) },
          put: { operationId: 'replace', requestBody: jsonContent(ref), ...answer(ref) },
          post: { operationId: 'lend', responses: { 204: { description: 'lent' } } },
        },
      },
    });
    expect(Object.keys(resources[0]?.operations ?? {})).toEqual(['list', 'read', 'replace']);
  });

  test('the records of an envelope', () => {
    const { resources } = makeContract({
      components,
      paths: {
        '/books': {
          get: answer({
            type: 'object',
            properties: { total: { type: 'integer' }, items: { type: 'array', items: ref } },
          }),
        },
        '/books/{isbn}': { get: answer(ref) },
      },
    });
    expect(resources[0]?.list?.records).toBe('/items');
  });

  test.each<['author' | 'title', string, string | undefined]>([
    ['author', 'oneOf', undefined],
    ['author', 'anyOf', undefined],
    ['title', 'oneOf', '/books'],
  ])('a record with a list of others that show it as %s, in %s', (member, choice, records) => {
    const author = { $ref: '#/components/schemas/Author' };
    const { resources } = makeContract({
      components: {
        schemas: {
          Author: { type: 'object', properties: { books: { type: 'array', items: ref } } },
          Book: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              [member]:
                member === 'title' ? { type: 'string' } : { [choice]: [author, { type: 'null' }] },
            },
          },
        },
      },
      paths: { '/authors': { get: answer(author) }, '/books/{id}': { get: answer(ref) } },
    });
    const authors = resources.find(({ collectionPath }) => collectionPath === '/authors');
    expect(authors?.list?.records).toBe(records);
  });

  test.each<[string, JsonObject, string]>([
    [
      'a POST that nobody can read back',
      { '/orders': { post: { requestBody: jsonContent(ref), ...answer(ref, 201) } } },
      'no operation lists or reads',
    ],
    [
      'a GET without a schema',
      { '/status': { get: { responses: { 200: { description: 'ok' } } } } },
      'no JSON body with a schema',
    ],
    [
      'an object that nothing changes',
      { '/status': { get: answer({ type: 'object', properties: { up: { type: 'boolean' } } }) } },
      'that no operation changes',
    ],
    [
      'a verb without a state',
      { '/books/{isbn}/burn': { post: { responses: { 200: { description: 'ok' } } } } },
      'nor names a state of it',
    ],
    [
      'a list of words',
      { '/words': { get: answer({ type: 'array', items: { type: 'string' } }) } },
      'not an array of records',
    ],
  ])('%s belongs to none, and is told why', (_name, paths, why) => {
    const { resources, unplaced } = makeContract({ components, paths });
    expect(resources).toEqual([]);
    expect(unplaced[0]?.why).toContain(why);
  });
});

describe('gaps', () => {
  const gapsOf = (operation: JsonObject, members: JsonObject = {}): string[] =>
    makeContract({
      ...members,
      paths: { '/a': { post: { operationId: 'op', ...operation } } },
    }).gaps.map(({ kind }) => kind);
  const ok = { 201: { description: 'ok', ...jsonContent({ type: 'object' }) } };
  const refused = { 400: { description: 'no' } };
  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a body and no 400',
      { requestBody: jsonContent({ type: 'object' }), responses: ok },
      {},
      ['refusal-undocumented'],
    ],
    [
      'nothing open',
      { requestBody: jsonContent({ type: 'object' }), responses: { ...ok, ...refused } },
      {},
      [],
    ],
    [
      'only a range of successes',
      { responses: { '2XX': { description: 'ok', ...jsonContent({ type: 'object' }) } } },
      {},
      ['success-open'],
    ],
    [
      'only default',
      { responses: { default: { description: 'unknown' } } },
      {},
      ['success-open', 'payload-open'],
    ],
    [
      'an answer without a schema',
      { responses: { 200: { description: 'ok' } } },
      {},
      ['payload-open'],
    ],
    ['204 has no payload to be open', { responses: { 204: { description: 'ok' } } }, {}, []],
    [
      'secured without a 401',
      { responses: ok, security: [{ key: [] }] },
      { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
      ['unauthorised-undocumented'],
    ],
    [
      'an optional field and an unbounded text',
      {
        requestBody: jsonContent({
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, size: { type: 'integer' } },
        }),
        responses: { ...ok, ...refused },
      },
      {},
      ['text-unbounded', 'default-unknown'],
    ],
  ])('%s', (_name, operation, members, expected) => {
    expect(gapsOf(operation, members)).toEqual(expected);
  });
});
