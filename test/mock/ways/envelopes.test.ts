import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { type Api, contractOf, dialects, type Flow, playFlow } from './play-flow.ts';

const text: JsonObject = { type: 'string' };
const record: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, label: text, colour: text },
};
const ref = { $ref: 'Record' };
const many: JsonObject = { type: 'array', items: ref };
const input: JsonObject = { type: 'object', properties: { label: text, colour: text } };
const path = { id: { type: 'integer' } };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

interface Shapes {
  readonly one: JsonObject;
  readonly list: JsonObject;
  readonly body?: JsonObject;
  readonly create?: JsonObject;
}

function apiOf({ one, list, body = input, create = one }: Shapes, schemas: JsonObject = {}): Api {
  return {
    schemas: { Record: record, ...(schemas as Readonly<Record<string, JsonObject>>) },
    operations: [
      { call: 'GET /kites', query: { colour: text }, answers: { 200: list } },
      { call: 'POST /kites', body, answers: { 201: create } },
      { call: 'GET /kites/{id}', path, answers: { 200: one, 404: null } },
      { call: 'PATCH /kites/{id}', path, body, answers: { 200: one } },
      { call: 'DELETE /kites/{id}', path, answers: { 204: null } },
    ],
  };
}

const status = { type: 'integer' };

const envelopes: readonly (readonly [
  name: string,
  shapes: Shapes,
  id: string,
  wrap: (body: JsonObject) => JsonObject,
])[] = [
  [
    'data',
    { one: object({ data: ref }), list: object({ data: many }) },
    '/data/id',
    (body) => body,
  ],
  [
    'the noun',
    {
      one: object({ kite: ref }),
      list: object({ kites: many }),
      body: object({ kite: input }),
    },
    '/kite/id',
    (body) => ({ kite: body }),
  ],
  [
    'a code, a message and a result',
    {
      one: object({ code: status, message: text, result: ref }, { required: ['code', 'result'] }),
      list: object({ code: status, message: text, result: many }, { required: ['code'] }),
    },
    '/result/id',
    (body) => body,
  ],
  [
    'two envelopes, one in the other',
    {
      one: object({ data: object({ kite: ref, knowledge: status }, { required: ['kite'] }) }),
      list: object({ data: object({ kites: many, knowledge: status }) }),
      body: object({ kite: input }),
    },
    '/data/kite/id',
    (body) => ({ kite: body }),
  ],
  [
    'a wrapped item in a bare list',
    {
      one: object({ kite: ref }),
      list: { type: 'array', items: object({ kite: ref }) },
      body: object({ kite: input }),
    },
    '/kite/id',
    (body) => ({ kite: body }),
  ],
  [
    'a create that answers a list of one',
    {
      one: object({ kite: ref }),
      create: { type: 'array', items: object({ kite: ref }) },
      list: { type: 'array', items: object({ kite: ref }) },
      body: object({ kite: input }),
    },
    '/0/kite/id',
    (body) => ({ kite: body }),
  ],
  [
    'a create that answers a list of one in a member',
    {
      one: object({ kite: ref }),
      create: object({ kites: many }),
      list: object({ kites: many }),
      body: object({ kite: input }),
    },
    '/kites/0/id',
    (body) => ({ kite: body }),
  ],
  [
    'a body of one record or of many',
    {
      one: object({ kite: ref }),
      create: object(
        { kite: ref, kite_ids: { type: 'array', items: { type: 'integer' } } },
        { required: ['kite_ids'] },
      ),
      list: object({ kites: many }),
      body: object({ kite: input, kites: { type: 'array', items: input } }),
    },
    '/kite/id',
    (body) => ({ kite: body }),
  ],
];

describe.each(dialects)('envelopes of OpenAPI %s', (dialect) => {
  test.each(envelopes)('%s', async (_name, shapes, id, wrap) => {
    await playFlow(contractOf(apiOf(shapes), dialect), {
      create: ['POST /kites', wrap({ label: 'first', colour: 'red' })],
      id,
      sees: { label: 'first', colour: 'red' },
      read: ['GET /kites/{id}'],
      list: ['GET /kites'],
      filter: ['GET /kites?colour=red', 'GET /kites?colour=grey'],
      update: ['PATCH /kites/{id}', wrap({ label: 'second' })],
      updateSees: { label: 'second', colour: 'red' },
      remove: ['DELETE /kites/{id}'],
    });
  });

  test('an envelope of records that are not described', async () => {
    const any: JsonObject = { type: 'object', additionalProperties: {} };
    const textPath = { id: text };
    const contract = contractOf(
      {
        schemas: {},
        operations: [
          {
            call: 'GET /buckets',
            answers: { 200: object({ data: { type: 'array', items: any } }) },
          },
          {
            call: 'POST /buckets',
            body: object({ data: any }),
            answers: { 201: object({ data: any, permissions: object({ read: text }) }) },
          },
          {
            call: 'GET /buckets/{id}',
            path: textPath,
            answers: { 200: object({ data: any, permissions: object({ read: text }) }), 404: null },
          },
          {
            call: 'PUT /buckets/{id}',
            path: textPath,
            body: object({ data: any }),
            answers: { 200: object({ data: any }), 201: object({ data: any }) },
          },
          { call: 'DELETE /buckets/{id}', path: textPath, answers: { 200: object({ data: any }) } },
        ],
      },
      dialect,
    );
    const flow: Flow = {
      create: ['POST /buckets', { data: { depth: 3 } }],
      id: '/data/id',
      sees: { depth: 3 },
      read: ['GET /buckets/{id}'],
      list: ['GET /buckets'],
      update: ['PUT /buckets/{id}', { data: { depth: 4 } }],
      updateSees: { depth: 4 },
      remove: ['DELETE /buckets/{id}'],
    };
    await playFlow(contract, flow);
    await playFlow(contract, {
      ...flow,
      create: ['PUT /buckets/own', { data: { depth: 3 } }],
      id: { value: 'own' },
      sees: { depth: 3, id: 'own' },
    });
  });

  test('JSON:API, flat in the request and nested in the answer', async () => {
    const resource = object({
      id: text,
      type: text,
      attributes: object(
        { label: text, type: { type: 'string', enum: ['asset', 'expense'] } },
        { required: ['label'] },
      ),
      links: object({ self: text }),
    });
    const flat = object({ label: text, type: { type: 'string', enum: ['asset', 'expense'] } });
    const one = object({ data: { $ref: 'Kite' } });
    const contract = contractOf(
      {
        schemas: { Kite: resource },
        operations: [
          {
            call: 'GET /kites',
            query: { type: { type: 'string', enum: ['all', 'asset', 'expense'] } },
            answers: { 200: object({ data: { type: 'array', items: { $ref: 'Kite' } } }) },
          },
          { call: 'POST /kites', body: flat, answers: { 200: one } },
          { call: 'GET /kites/{id}', answers: { 200: one, 404: null } },
          { call: 'PUT /kites/{id}', body: flat, answers: { 200: one } },
          { call: 'DELETE /kites/{id}', answers: { 204: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /kites', { label: 'first', type: 'expense' }],
      id: '/data/id',
      sees: { attributes: { label: 'first', type: 'expense' } },
      read: ['GET /kites/{id}'],
      list: ['GET /kites'],
      filter: ['GET /kites?type=expense', 'GET /kites?type=asset'],
      update: ['PUT /kites/{id}', { label: 'second' }],
      updateSees: { attributes: { label: 'second' } },
      remove: ['DELETE /kites/{id}'],
    });
  });

  test('JSON:API, nested in request and answer', async () => {
    const resource = object({ id: text, type: text, attributes: object({ label: text }) });
    const one = object({ data: { $ref: 'Kite' } });
    const contract = contractOf(
      {
        schemas: { Kite: resource },
        operations: [
          {
            call: 'GET /kites',
            query: { 'filter[label]': text },
            answers: { 200: object({ data: { type: 'array', items: { $ref: 'Kite' } } }) },
          },
          { call: 'POST /kites', body: one, answers: { 201: one } },
          { call: 'GET /kites/{id}', answers: { 200: one, 404: null } },
          { call: 'PATCH /kites/{id}', body: one, answers: { 200: one } },
          { call: 'DELETE /kites/{id}', answers: { 204: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /kites', { data: { type: 'kites', attributes: { label: 'first' } } }],
      id: '/data/id',
      sees: { attributes: { label: 'first' } },
      read: ['GET /kites/{id}'],
      list: ['GET /kites'],
      filter: ['GET /kites?filter%5Blabel%5D=first', 'GET /kites?filter%5Blabel%5D=other'],
      update: [
        'PATCH /kites/{id}',
        { data: { id: '{id}', type: 'kites', attributes: { label: 'second' } } },
      ],
      updateSees: { attributes: { label: 'second' } },
      remove: ['DELETE /kites/{id}'],
    });
  });

  test.each([
    ['bare', { type: 'object', additionalProperties: ref }],
    [
      'in an envelope',
      object({ kites: { type: 'object', additionalProperties: ref }, count: status }),
    ],
  ])('a list that is a map by identifier, %s', async (_name, list) => {
    const plain = object({ label: text, colour: text });
    const contract = contractOf(
      {
        schemas: { Record: plain },
        operations: [
          { call: 'GET /kites', query: { colour: text }, answers: { 200: list } },
          { call: 'PUT /kites/{name}', body: ref, answers: { 201: ref, 200: ref } },
          { call: 'GET /kites/{name}', answers: { 200: ref, 404: null } },
          { call: 'DELETE /kites/{name}', answers: { 204: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['PUT /kites/red-one', { label: 'first', colour: 'red' }],
      id: { value: 'red-one' },
      sees: { label: 'first', colour: 'red' },
      read: ['GET /kites/{id}'],
      list: ['GET /kites'],
      filter: ['GET /kites?colour=red', 'GET /kites?colour=grey'],
      update: ['PUT /kites/{id}', { label: 'second', colour: 'red' }],
      updateSees: { label: 'second' },
      remove: ['DELETE /kites/{id}'],
    });
  });

  test('an own member called data makes no envelope of a request', async () => {
    const event = object({ id: text, kind: text, data: object({ depth: status }) });
    const contract = contractOf(
      {
        schemas: { Event: event },
        operations: [
          { call: 'GET /events', answers: { 200: { type: 'array', items: { $ref: 'Event' } } } },
          {
            call: 'POST /events',
            body: object({ kind: text, data: object({ depth: status }) }),
            answers: { 201: { $ref: 'Event' } },
          },
          { call: 'GET /events/{id}', answers: { 200: { $ref: 'Event' }, 404: null } },
        ],
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /events', { kind: 'dive', data: { depth: 9 } }],
      id: '/id',
      sees: { kind: 'dive', data: { depth: 9 } },
      read: ['GET /events/{id}'],
      list: ['GET /events'],
    });
    expect(contract.resources[0]?.conventions).not.toContain('envelope.by-name');
  });
});
