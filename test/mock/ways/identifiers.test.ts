import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { type ApiOperation, contractOf, dialects, playFlow } from './play-flow.ts';

const ref = { $ref: 'Record' };
const list = { type: 'array', items: ref };
const input: JsonObject = {
  type: 'object',
  properties: { label: { type: 'string' }, note: { type: 'string' } },
};

/** The usual operations on a collection and its items. */
function operations(collection: string, parameter: string, type: JsonObject): ApiOperation[] {
  const item = `${collection}/{${parameter}}`;
  const path = { [parameter]: type };
  return [
    { call: `GET ${collection}`, answers: { 200: list } },
    { call: `POST ${collection}`, body: input, answers: { 201: ref } },
    { call: `GET ${item}`, path, answers: { 200: ref, 404: null } },
    { call: `PATCH ${item}`, path, body: input, answers: { 200: ref } },
    { call: `DELETE ${item}`, path, answers: { 204: null } },
  ];
}

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };

const names: readonly (readonly [
  collection: string,
  parameter: string,
  field: string,
  parameterType: JsonObject,
  fieldType: JsonObject,
])[] = [
  ['/cards', 'card_gid', 'gid', text, text],
  ['/cards', 'card_token', 'token', text, text],
  ['/Calls', 'CallSid', 'sid', text, text],
  ['/silences', 'silenceID', 'id', text, text],
  ['/silences', 'silenceID', 'silenceID', text, text],
  ['/flows', 'flowArn', 'flowArn', text, text],
  ['/customers', 'external_customer_id', 'external_id', text, text],
  ['/wheels', 'wheelId', 'wheel_id', whole, whole],
  ['/tickets', 'ticketIdOrKey', 'key', text, text],
  ['/notes', 'note', 'id', text, text],
  ['/bins', 'bin', 'bin_token', text, text],
  ['/issues', 'issueId', 'id', whole, text],
  ['/rooms', 'roomId', 'id', text, whole],
  ['/meetings', 'meetingId', 'uuid', text, { type: 'string', format: 'uuid' }],
  ['/boxes', 'id', '_id', text, text],
];

describe.each(dialects)('identifiers of OpenAPI %s', (dialect) => {
  test.each(names)('%s/{%s} is %s', async (collection, parameter, field, carried, type) => {
    const record: JsonObject = {
      type: 'object',
      properties: { [field]: type, label: text, note: text },
    };
    const contract = contractOf(
      { schemas: { Record: record }, operations: operations(collection, parameter, carried) },
      dialect,
    );
    expect(contract.resources.map(({ identifier }) => identifier.field)).toEqual([field]);
    const item = `${collection}/{id}`;
    await playFlow(contract, {
      create: [`POST ${collection}`, { label: 'first', note: 'kept' }],
      id: `/${field}`,
      sees: { label: 'first', note: 'kept' },
      read: [`GET ${item}`],
      list: [`GET ${collection}`],
      update: [`PATCH ${item}`, { label: 'second' }],
      updateSees: { label: 'second', note: 'kept' },
      remove: [`DELETE ${item}`],
    });
  });

  test('a path may take one of two fields', async () => {
    const record: JsonObject = {
      type: 'object',
      properties: { id: text, key: text, label: text, note: text },
    };
    const contract = contractOf(
      { schemas: { Record: record }, operations: operations('/tickets', 'ticketIdOrKey', text) },
      dialect,
    );
    const body = { ...input, properties: { key: text, label: text } };
    expect(contract.resources[0]?.identifier).toMatchObject({ field: 'id', others: ['key'] });
    const taking = contractOf(
      {
        schemas: { Record: record },
        operations: operations('/tickets', 'ticketIdOrKey', text).map((operation) =>
          operation.body === undefined ? operation : { ...operation, body },
        ),
      },
      dialect,
    );
    for (const id of ['/id', '/key'])
      await playFlow(taking, {
        create: ['POST /tickets', { key: 'OAK-7', label: 'first' }],
        id,
        sees: { key: 'OAK-7', label: 'first' },
        read: ['GET /tickets/{id}'],
        list: ['GET /tickets'],
        update: ['PATCH /tickets/{id}', { label: 'second' }],
        updateSees: { key: 'OAK-7', label: 'second' },
        remove: ['DELETE /tickets/{id}'],
      });
  });

  test('records without a declared identifier have one if the schema allows it', async () => {
    const record: JsonObject = { type: 'object', properties: { label: text, note: text } };
    const contract = contractOf(
      { schemas: { Record: record }, operations: operations('/masks', 'maskId', text) },
      dialect,
    );
    expect(contract.resources[0]?.conventions).toContain('identifier.undeclared');
    await playFlow(contract, {
      create: ['POST /masks', { label: 'first' }],
      id: '/id',
      sees: { label: 'first' },
      read: ['GET /masks/{id}'],
      list: ['GET /masks'],
      update: ['PATCH /masks/{id}', { label: 'second' }],
      updateSees: { label: 'second' },
      remove: ['DELETE /masks/{id}'],
    });
  });

  test('records that show no identifier are found by Location', async () => {
    const record: JsonObject = {
      type: 'object',
      additionalProperties: false,
      properties: { label: text, note: text },
    };
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: operations('/masks', 'maskId', text).map((operation) =>
          operation.call.startsWith('POST')
            ? { ...operation, answers: { 201: null }, headers: ['Location'] }
            : operation,
        ),
      },
      dialect,
    );
    expect(contract.resources[0]?.conventions).toContain('identifier.hidden');
    await playFlow(contract, {
      create: ['POST /masks', { label: 'first', note: 'kept' }],
      id: { location: true },
      sees: { label: 'first' },
      read: ['GET /masks/{id}'],
      list: ['GET /masks'],
      update: ['PATCH /masks/{id}', { label: 'second' }],
      updateSees: { label: 'second', note: 'kept' },
      remove: ['DELETE /masks/{id}'],
    });
  });

  test.each(['href', 'self', 'url', 'resource_uri'])(
    'the member %s of a record leads to it',
    async (link) => {
      const record: JsonObject = {
        type: 'object',
        additionalProperties: false,
        properties: { [link]: text, label: text, note: text },
      };
      const contract = contractOf(
        { schemas: { Record: record }, operations: operations('/masks', 'maskId', text) },
        dialect,
      );
      await playFlow(contract, {
        create: ['POST /masks', { label: 'first' }],
        id: { location: true },
        sees: { label: 'first', [link]: '/masks/{id}' },
        read: ['GET /masks/{id}'],
        list: ['GET /masks'],
        update: ['PATCH /masks/{id}', { label: 'second' }],
        updateSees: { label: 'second', [link]: '/masks/{id}' },
        remove: ['DELETE /masks/{id}'],
      });
    },
  );

  test('a create that returns only a link', async () => {
    const record: JsonObject = { type: 'object', properties: { id: whole, label: text } };
    const link: JsonObject = {
      type: 'object',
      required: ['location'],
      properties: { location: text },
    };
    const contract = contractOf(
      {
        schemas: { Record: record },
        operations: operations('/articles', 'article_id', whole).map((operation) =>
          operation.call.startsWith('POST') ? { ...operation, answers: { 201: link } } : operation,
        ),
      },
      dialect,
    );
    await playFlow(contract, {
      create: ['POST /articles', { label: 'first' }],
      id: { link: '/location' },
      sees: { label: 'first' },
      read: ['GET /articles/{id}'],
      list: ['GET /articles'],
      update: ['PATCH /articles/{id}', { label: 'second' }],
      updateSees: { label: 'second' },
      remove: ['DELETE /articles/{id}'],
    });
  });
});
