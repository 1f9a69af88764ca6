import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import type { StoredRecord } from '../../../src/store/store.ts';
import { fakeMock } from '../fake-mock.ts';
import { todoDocument } from '../todo-document.ts';
import { controlOf, type ControlClient } from './control-client.ts';

const stored = (record: JsonObject): StoredRecord => ({ id: String(record['id']), record });

function todo(): ControlClient {
  const fixtures = new Map([
    ['lists', [stored({ id: 1, name: 'Home' }), stored({ id: 2, name: 'Work' })]],
    ['lists.items/1', [stored({ id: 1, text: 'Sweep', listId: 1 })]],
    [
      'lists.items/2',
      [stored({ id: 1, text: 'Write', listId: 2 }), stored({ id: 2, text: 'Send', listId: 2 })],
    ],
    ['lists.items.notes/2/1', [stored({ id: 1, body: 'soon' })]],
  ]);
  return controlOf(
    fakeMock(undefined, {
      contract: parseContract(JSON.stringify(todoDocument()), 'todo.json'),
      fixtures,
    }),
  );
}

describe('nested records', () => {
  test('are listed with their parents, and counted', async () => {
    const { body } = await todo().call('GET /resources');
    expect(body).toMatchObject({
      resources: [
        { name: 'lists', path: '/lists', parents: [], count: 2 },
        {
          name: 'lists.items',
          path: '/lists/{listId}/items',
          parents: [{ parameter: 'listId', resource: 'lists', field: 'listId' }],
          count: 3,
        },
        {
          name: 'lists.items.notes',
          parents: [
            { parameter: 'listId', resource: 'lists', field: null },
            { parameter: 'itemId', resource: 'lists.items', field: null },
          ],
          count: 1,
        },
      ],
    });
  });

  test('are listed below one, some or all parents, page by page', async () => {
    const { call } = todo();
    expect((await call('GET /resources/lists.items/records?parent=2')).body).toMatchObject({
      total: 2,
      records: [{ id: '1', parents: ['2'], record: { text: 'Write' } }, { id: '2' }],
    });
    expect((await call('GET /resources/lists.items/records')).body).toMatchObject({
      total: 3,
      records: [
        { parents: ['1'], record: { text: 'Sweep' } },
        { parents: ['2'] },
        { parents: ['2'] },
      ],
    });
    expect((await call('GET /resources/lists.items/records?offset=1&limit=1')).body).toMatchObject({
      total: 3,
      offset: 1,
      records: [{ record: { text: 'Write' } }],
    });
    expect((await call('GET /resources/lists.items.notes/records?parent=2')).body).toMatchObject({
      total: 1,
      records: [{ id: '1', parents: ['2', '1'] }],
    });
    expect((await call('GET /resources/lists.items.notes/records?parent=1')).body).toMatchObject({
      total: 0,
      records: [],
    });
  });

  test('are added, read, replaced and removed below one parent only', async () => {
    const { call } = todo();
    expect(
      await call('PUT /resources/lists.items/records/5?parent=1', { text: 'Cook' }),
    ).toMatchObject({ status: 201, body: { id: 5, text: 'Cook', listId: 1 } });
    expect(await call('GET /resources/lists.items/records/5?parent=1')).toMatchObject({
      status: 200,
      body: { text: 'Cook' },
    });
    expect(await call('GET /resources/lists.items/records/5?parent=2')).toMatchObject({
      status: 404,
      body: { detail: 'There is no record 5 of lists.items below 2 in this session.' },
    });
    expect(
      await call('PUT /resources/lists.items/records/5?parent=1', { text: 'Bake' }),
    ).toMatchObject({ status: 200, body: { text: 'Bake' } });
    expect(
      (await call('PUT /resources/lists.items.notes/records/9?parent=1/5', { body: 'now' })).status,
    ).toBe(201);
    expect((await call('DELETE /resources/lists.items.notes/records/9?parent=1/5')).status).toBe(
      204,
    );
    expect((await call('DELETE /resources/lists.items/records/5?parent=1')).status).toBe(204);
    expect((await call('GET /resources/lists.items/records')).body).toMatchObject({ total: 3 });
  });

  test('are those of their session', async () => {
    const { call } = todo();
    await call('PUT /resources/lists.items/records/5?parent=1&session=mine', { text: 'Cook' });
    expect((await call('GET /resources/lists.items/records?parent=1')).body).toMatchObject({
      total: 1,
    });
    expect((await call('GET /sessions')).body).toMatchObject({
      sessions: [
        { name: 'default', records: 6 },
        { name: 'mine', records: 7 },
      ],
    });
  });

  test.each<[string, JsonValue | undefined, number, string]>([
    [
      'GET /resources/lists/records?parent=1',
      undefined,
      400,
      'The records of lists stand below no others. Leave parent out.',
    ],
    [
      'GET /resources/lists.items/records?parent=1/2',
      undefined,
      400,
      'The records of lists.items stand at /lists/{listId}/items, below ' +
        'another; parent names 2. A slash within an identifier is written %2F.',
    ],
    [
      'GET /resources/lists.items/records?parent=1%252',
      undefined,
      400,
      'parent holds `%2`, which is not a valid percent-escape (write % as %25).',
    ],
    [
      'GET /resources/lists.items/records?parent=',
      undefined,
      400,
      'parent names a record by nothing. Write an identifier, or several with ' +
        'slashes between them: 17/3.',
    ],
    [
      'GET /resources/lists.items/records?parent=9',
      undefined,
      404,
      'No record of lists has the id `9`.',
    ],
    [
      'PUT /resources/lists.items/records/1',
      { text: 'a' },
      400,
      'The records of lists.items stand at /lists/{listId}/items, each below ' +
        'another. Say below which, by the query parameter parent: listId.',
    ],
    [
      'DELETE /resources/lists.items.notes/records/1?parent=2',
      undefined,
      400,
      'The records of lists.items.notes stand at /lists/{listId}/items/' +
        '{itemId}/notes, each below 2 others. Say below which, by the query ' +
        'parameter parent: listId/itemId.',
    ],
    [
      'PUT /resources/lists.items.notes/records/1?parent=1/2',
      { body: 'a' },
      404,
      'No record of lists.items has the id `2`.',
    ],
    [
      'PUT /resources/lists.items/records/1?parent=2',
      { text: 'a', listId: 1 },
      400,
      'The contract does not allow this record of lists.items. /listId must be ' +
        '2, as in the parent.',
    ],
  ])('%s %j is %s', async (line, body, status, detail) => {
    const { call } = todo();
    expect(await call(line, body)).toMatchObject({ status, body: { detail } });
    expect((await call('GET /state')).body).toMatchObject({ sessions: [] });
  });

  test('are searched below at most 200 parents', async () => {
    const lists = Array.from({ length: 201 }, (_, index) => stored({ id: index + 1, name: 'One' }));
    const { call } = controlOf(
      fakeMock(undefined, {
        contract: parseContract(JSON.stringify(todoDocument()), 'todo.json'),
        fixtures: new Map([
          ['lists', lists],
          ['lists.items/7', [stored({ id: 1, text: 'a' })]],
        ]),
      }),
    );
    expect((await call('GET /resources')).body).toMatchObject({
      resources: [{ count: 201 }, { count: null }, { count: null }],
    });
    expect(await call('GET /resources/lists.items/records')).toMatchObject({
      status: 400,
      body: {
        detail:
          'The records of lists.items stand below more than 200 others, too many ' +
          'to look below each. Say below which one, by the query parameter parent.',
      },
    });
    expect((await call('GET /resources/lists.items/records?parent=7')).body).toMatchObject({
      total: 1,
    });
    expect((await call('GET /sessions')).body).toMatchObject({ sessions: [{ records: null }] });
  });

  test('with unknown parents are listed below those with known parents', async () => {
    const {
      '/lists': _lists,
      '/lists/{listId}': _list,
      ...paths
    } = todoDocument()['paths'] as JsonObject;
    const { call } = controlOf(
      fakeMock(undefined, {
        contract: parseContract(JSON.stringify({ ...todoDocument(), paths }), 'todo.json'),
        fixtures: new Map(),
      }),
    );
    const kinds = (await call('GET /resources')).body as {
      resources: { name: string; parents: JsonObject[] }[];
    };
    const name = kinds.resources[0]?.name ?? '';
    expect(kinds.resources[0]?.parents).toMatchObject([{ parameter: 'listId', resource: null }]);
    expect(
      (await call(`PUT /resources/${name}/records/3?parent=5%252F6`, { text: 'a', listId: 5 }))
        .status,
    ).toBe(400);
    expect((await call(`PUT /resources/${name}/records/3?parent=56`, { text: 'a' })).status).toBe(
      201,
    );
    expect((await call(`GET /resources/${name}/records`)).body).toMatchObject({
      total: 1,
      records: [{ id: '3', parents: ['56'] }],
    });
  });
});

describe('a view of the records of another resource', () => {
  const pet = { $ref: '#/components/schemas/Pet' };
  const Pet = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, ownerId: { type: 'integer' }, name: { type: 'string' } },
  };
  const json = (schema: JsonValue): JsonObject => ({
    description: 'It is so',
    content: { 'application/json': { schema } },
  });
  const listed = { get: { responses: { 200: json({ type: 'array', items: pet }) } } };
  const item = (name: string, schema: JsonValue): JsonObject => ({
    parameters: [{ name, in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { 200: json(schema), 404: { description: 'none' } } },
  });
  const owner = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    components: { schemas: { Pet } },
    paths: {
      '/pets': { ...listed, post: { requestBody: json(pet), responses: { 201: json(pet) } } },
      '/pets/{petId}': item('petId', pet),
      '/owners': { get: { responses: { 200: json({ type: 'array', items: owner }) } } },
      '/owners/{ownerId}': item('ownerId', owner),
      '/owners/{ownerId}/pets': {
        parameters: [{ name: 'ownerId', in: 'path', required: true, schema: { type: 'integer' } }],
        ...listed,
      },
    },
  };
  const fixtures = new Map([
    ['owners', [stored({ id: 1 }), stored({ id: 2 })]],
    ['pets', [stored({ id: 1, ownerId: 1 }), stored({ id: 2, ownerId: 2 }), stored({ id: 3 })]],
  ]);
  const client = (): ControlClient =>
    controlOf(
      fakeMock(undefined, {
        contract: parseContract(JSON.stringify(document), 'pets.json'),
        fixtures,
      }),
    );

  test('shows the records of each parent, and is counted once', async () => {
    const { call } = client();
    expect((await call('GET /resources')).body).toMatchObject({
      resources: expect.arrayContaining([
        expect.objectContaining({ name: 'pets', collection: 'pets', count: 3 }),
        expect.objectContaining({ name: 'owners.pets', collection: 'pets', count: 2 }),
      ]),
    });
    expect((await call('GET /sessions')).body).toMatchObject({ sessions: [{ records: 5 }] });
    expect((await call('GET /resources/owners.pets/records')).body).toMatchObject({
      total: 2,
      records: [
        { id: '1', parents: ['1'] },
        { id: '2', parents: ['2'] },
      ],
    });
    expect((await call('GET /resources/owners.pets/records?parent=2')).body).toMatchObject({
      total: 1,
      records: [{ id: '2' }],
    });
  });

  test('adds a record that both show, and changes none of another parent', async () => {
    const { call } = client();
    expect(
      await call('PUT /resources/owners.pets/records/4?parent=2', { name: 'Ada' }),
    ).toMatchObject({ status: 201, body: { id: 4, ownerId: 2, name: 'Ada' } });
    expect((await call('GET /resources/pets/records/4')).body).toMatchObject({ ownerId: 2 });
    expect((await call('GET /resources/owners.pets/records/1?parent=2')).status).toBe(404);
    expect((await call('DELETE /resources/owners.pets/records/1?parent=2')).status).toBe(404);
    expect((await call('DELETE /resources/owners.pets/records/1?parent=1')).status).toBe(204);
    expect((await call('GET /resources/pets/records/1')).status).toBe(404);
  });
});
