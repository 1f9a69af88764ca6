import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { type Api, contractOf, dialects, type Flow, playFlow } from './play-flow.ts';

const record: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, label: { type: 'string' }, colour: { type: 'string' } },
};
const ref = { $ref: 'Record' };
const list = { type: 'array', items: ref };
const input: JsonObject = {
  type: 'object',
  properties: { label: { type: 'string' }, colour: { type: 'string' } },
};

/** Paths of a collection and of its items, in one style, with the convention that reads them. */
const styles: readonly (readonly [
  collection: string,
  item: string,
  call: string,
  convention: string,
])[] = [
  ['/kites/', '/kites/{kite_id}/', '/kites/{id}/', 'path.trailing-slash'],
  ['/looms/', '/looms/{id}', '/looms/{id}', 'path.trailing-slash'],
  ['/badges', '/badges/{badgeId}/', '/badges/{id}/', 'path.trailing-slash'],
  ['/kites.json', '/kites/{KiteId}.json', '/kites/{id}.json', 'path.file-suffix'],
  ['/v2/looms.{format}', '/v2/looms/{id}.{format}', '/v2/looms/{id}.json', 'path.file-suffix'],
  ['/Badges', '/Badges({badgeId})', '/Badges({id})', 'path.key-in-parentheses'],
  ['/Kites', '/Kites(id={id})', '/Kites(id={id})', 'path.key-in-parentheses'],
];

describe.each(dialects)('paths of OpenAPI %s', (dialect) => {
  test.each(styles)('%s and %s are one resource', async (collection, item, call, convention) => {
    const api: Api = {
      schemas: { Record: record },
      operations: [
        {
          call: `GET ${collection}`,
          query: { colour: { type: 'string' } },
          answers: { 200: list },
        },
        { call: `POST ${collection}`, body: input, answers: { 201: ref } },
        ...['GET', 'PUT', 'PATCH'].map((method) => ({
          call: `${method} ${item}`,
          path: { [/\{(\w+)\}/.exec(item)?.[1] ?? '']: { type: 'integer' } },
          ...(method === 'GET' ? {} : { body: input }),
          answers: { 200: ref, 404: null },
        })),
        {
          call: `DELETE ${item}`,
          path: { [/\{(\w+)\}/.exec(item)?.[1] ?? '']: { type: 'integer' } },
          answers: { 204: null, 404: null },
        },
      ],
    };
    const contract = contractOf(api, dialect);
    expect(contract.resources.map((resource) => resource.conventions)).toEqual([
      expect.arrayContaining([convention]),
    ]);
    const asked = collection.replace('{format}', 'json');
    const flow: Flow = {
      create: [`POST ${asked}`, { label: 'first', colour: 'red' }],
      id: '/id',
      sees: { label: 'first', colour: 'red' },
      read: [`GET ${call}`],
      list: [`GET ${asked}`],
      filter: [`GET ${asked}?colour=red`, `GET ${asked}?colour=grey`],
      update: [`PATCH ${call}`, { label: 'second' }],
      updateSees: { label: 'second', colour: 'red' },
      remove: [`DELETE ${call}`],
    };
    await playFlow(contract, flow);
  });

  const verbs: readonly (readonly [
    string,
    Readonly<Record<'list' | 'create' | 'read' | 'update' | 'delete', string>>,
  ])[] = [
    [
      'verbs before the identifier',
      {
        list: 'GET /v2/kites/list',
        create: 'POST /v2/kites/create',
        read: 'GET /v2/kites/get/{id}',
        update: 'POST /v2/kites/update/{id}',
        delete: 'DELETE /v2/kites/delete/{id}',
      },
    ],
    [
      'verbs behind the identifier',
      {
        list: 'GET /looms',
        create: 'POST /looms/add',
        read: 'GET /looms/{id}',
        update: 'POST /looms/{id}/edit',
        delete: 'POST /looms/{id}/remove',
      },
    ],
    [
      'verbs in one word with the noun',
      {
        list: 'GET /list_badges',
        create: 'POST /create_badge',
        read: 'GET /get_badge/{id}',
        update: 'PUT /update_badge/{id}',
        delete: 'DELETE /delete_badge/{id}',
      },
    ],
    [
      'verbs in camel case',
      {
        list: 'GET /api/listKites',
        create: 'POST /api/createKite',
        read: 'GET /api/getKite/{id}',
        update: 'POST /api/updateKite/{id}',
        delete: 'POST /api/deleteKite/{id}',
      },
    ],
  ];

  test.each(verbs)('%s', async (_name, calls) => {
    const path = { id: { type: 'integer' } };
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: calls.list, answers: { 200: list } },
          { call: calls.create, body: input, answers: { 200: ref } },
          { call: calls.read, path, answers: { 200: ref, 404: null } },
          { call: calls.update, path, body: input, answers: { 200: ref } },
          { call: calls.delete, path, answers: { 200: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: [calls.create, { label: 'first', colour: 'red' }],
      id: '/id',
      sees: { label: 'first' },
      read: [calls.read],
      list: [calls.list],
      update: [calls.update, { label: 'second' }],
      updateSees: { label: 'second' },
      remove: [calls.delete],
    });
  });

  test('methods behind a dot, with the identifier in the query and in the body', async () => {
    const byId = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          {
            call: 'GET /looms.list',
            answers: {
              200: { type: 'object', properties: { ok: { type: 'boolean' }, looms: list } },
            },
          },
          {
            call: 'POST /looms.create',
            body: input,
            answers: {
              200: { type: 'object', properties: { ok: { type: 'boolean' }, loom: ref } },
            },
          },
          {
            call: 'GET /looms.info',
            query: { id: { type: 'integer' } },
            answers: {
              200: { type: 'object', properties: { ok: { type: 'boolean' }, loom: ref } },
              404: null,
            },
          },
          {
            call: 'POST /looms.update',
            body: { ...byId, properties: { ...byId.properties, label: { type: 'string' } } },
            answers: {
              200: { type: 'object', properties: { ok: { type: 'boolean' }, loom: ref } },
            },
          },
          {
            call: 'POST /looms.delete',
            body: byId,
            answers: { 200: { type: 'object', properties: { ok: { type: 'boolean' } } } },
          },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /looms.create', { label: 'first' }],
      id: '/loom/id',
      sees: { label: 'first' },
      read: ['GET /looms.info?id={id}'],
      list: ['GET /looms.list'],
      update: ['POST /looms.update', { id: '{id}', label: 'second' }],
      updateSees: { label: 'second' },
      remove: ['POST /looms.delete', { id: '{id}' }],
    });
  });

  test('a list whose path ends in a parameter, beside items below it', async () => {
    const contract = contractOf(
      {
        schemas: {
          Record: {
            type: 'object',
            properties: { name: { type: 'string' }, value: { type: 'string' } },
          },
        },
        operations: [
          { call: 'GET /settings/{stage}', answers: { 200: list } },
          {
            call: 'POST /settings/{stage}',
            body: ref,
            answers: { 200: { type: 'object', properties: { success: { type: 'boolean' } } } },
          },
          {
            call: 'GET /settings/{stage}/{name}',
            answers: {
              200: { type: 'object', properties: { value: { type: 'string' } } },
              404: null,
            },
          },
          {
            call: 'PUT /settings/{stage}/{name}',
            body: { type: 'object', properties: { value: { type: 'string' } } },
            answers: { 200: null },
          },
          { call: 'DELETE /settings/{stage}/{name}', answers: { 200: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /settings/live', { name: 'DEPTH', value: 'nine' }],
      id: { value: 'DEPTH' },
      sees: { value: 'nine' },
      read: ['GET /settings/live/{id}'],
      list: ['GET /settings/live'],
      update: ['PUT /settings/live/{id}', { value: 'ten' }],
      updateSees: { value: 'ten' },
      remove: ['DELETE /settings/live/{id}'],
    });
  });
});

describe('paths that only look alike', () => {
  test('a noun that is also a verb stays a noun if its path has other methods', () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /folder/{folder}/list', answers: { 200: list } },
          { call: 'POST /folder/{folder}/list', body: input, answers: { 201: ref } },
          {
            call: 'GET /list/{list_id}',
            path: { list_id: { type: 'integer' } },
            answers: { 200: ref },
          },
          {
            call: 'PUT /list/{list_id}',
            path: { list_id: { type: 'integer' } },
            body: input,
            answers: { 200: ref },
          },
        ],
      },
      '3.1',
    );
    expect(contract.resources.map(({ name }) => name)).toEqual(['folder.list', 'list']);
  });

  test('one verb alone does not make a resource', () => {
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: [
          { call: 'GET /bills', answers: { 200: list } },
          { call: 'POST /bills/create_preview', body: input, answers: { 200: ref } },
          { call: 'GET /bills/{id}', path: { id: { type: 'integer' } }, answers: { 200: ref } },
        ],
      },
      '3.1',
    );
    expect(contract.resources.map(({ name }) => name)).toEqual(['bills']);
    expect(contract.unplaced.map(({ operation }) => operation.path)).toEqual([
      '/bills/create_preview',
    ]);
  });

  test('a custom method after a colon is an action on its record', () => {
    const contract = contractOf(
      {
        schemas: {
          Record: {
            ...record,
            properties: { id: { type: 'string' }, status: { enum: ['open', 'closed'] } },
          },
        },
        operations: [
          { call: 'GET /doors', answers: { 200: list } },
          { call: 'GET /doors/{doorId}', answers: { 200: ref } },
          { call: 'POST /doors/{doorId}:close', answers: { 200: ref } },
        ],
      },
      '3.1',
    );
    expect(contract.inference.actions.map(({ operation }) => operation.path)).toEqual([
      '/doors/{doorId}:close',
    ]);
  });
});
