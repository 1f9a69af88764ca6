import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const estate = parseContract(
  readFileSync(new URL('contracts/estate.yaml', import.meta.url), 'utf8'),
  'estate.yaml',
);

const fixtures = fixturesOf({
  owners: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Ben' },
  ],
  houses: [
    { id: 1, street: 'Oak', ownerId: 1, status: 'free' },
    { id: 2, street: 'Ash', ownerId: 2, status: 'sold' },
    { id: 3, street: 'Fir' },
  ],
});

function estateMock(options: Partial<MockOptions> = {}): Promise<Mock> {
  return mockOf({ contract: estate, fixtures, ...options });
}

describe('nested records', () => {
  test('are stored per parent, regardless of parameter names', async () => {
    expect(
      await converse(await estateMock(), [
        ['GET /owners/1/notes'],
        ['POST /owners/1/notes', { body: { text: 'Call' } }, 'Location'],
        ['POST /owners/1/notes', { body: { text: 'Write' } }, 'Location'],
        ['POST /owners/2/notes', { body: { text: 'Wait' } }, 'Location'],
        ['GET /owners/1/notes'],
        ['GET /owners/2/notes'],
        ['GET /owners/2/notes/2'],
        ['PATCH /owners/1/notes/2', { body: { text: 'Paint' } }],
        ['PUT /owners/1/notes/1', { body: { text: 'Sing' } }],
        ['DELETE /owners/2/notes/1'],
        ['GET /owners/1/notes'],
        ['GET /owners/2/notes'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /owners/1/notes → 200 []
      POST /owners/1/notes → 201 /owners/1/notes/1 {"number":1,"text":"Call"}
      POST /owners/1/notes → 201 /owners/1/notes/2 {"number":2,"text":"Write"}
      POST /owners/2/notes → 201 /owners/2/notes/1 {"number":1,"text":"Wait"}
      GET /owners/1/notes → 200 [{"number":1,"text":"Call"},{"number":2,"text":"Write"}]
      GET /owners/2/notes → 200 [{"number":1,"text":"Wait"}]
      GET /owners/2/notes/2 → 404 {"message":"No record of owners.notes has the number
        ↳ \`2\`."}
      PATCH /owners/1/notes/2 → 200 {"number":2,"text":"Paint"}
      PUT /owners/1/notes/1 → 200 {"number":1,"text":"Sing"}
      DELETE /owners/2/notes/1 → 204
      GET /owners/1/notes → 200 [{"number":1,"text":"Sing"},{"number":2,"text":"Paint"}]
      GET /owners/2/notes → 200 []"
    `);
  });

  test('are missing if their parent is missing', async () => {
    const mock = await estateMock();
    expect(
      await converse(mock, [
        ['GET /owners/9/notes'],
        ['POST /owners/9/notes', { body: { text: 'Call' } }],
        ['GET /owners/9/notes/1'],
        ['PUT /owners/9/address', { body: { city: 'Ulm' } }],
        ['POST /owners/2/notes', { body: { text: 'Call' } }],
        ['DELETE /owners/2'],
        ['GET /owners/2/notes/1'],
        ['GET /houses/2'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /owners/9/notes → 404 {"message":"No record of owners has the id \`9\`."}
      POST /owners/9/notes → 404 {"message":"No record of owners has the id \`9\`."}
      GET /owners/9/notes/1 → 404 {"message":"No record of owners has the id \`9\`."}
      PUT /owners/9/address → 404 {"message":"No record of owners has the id \`9\`."}
      POST /owners/2/notes → 201 {"number":1,"text":"Call"}
      DELETE /owners/2 → 204
      GET /owners/2/notes/1 → 404 {"message":"No record of owners has the id \`2\`."}
      GET /houses/2 → 200 {"id":2,"street":"Ash","ownerId":2,"status":"sold"}"
    `);
  });

  test(
    'can be seen from two sides, where both show the same schema and a field ' +
      'says whose they are',
    async () => {
      expect(
        await converse(await estateMock(), [
          ['GET /owners/1/houses'],
          ['POST /owners/1/houses', { body: { street: 'Elm', ownerId: 2 } }, 'Location'],
          ['GET /houses/4'],
          ['GET /owners/1/houses/4'],
          ['GET /owners/2/houses/4'],
          ['PATCH /houses/4', { body: { ownerId: 2 } }],
          ['GET /owners/1/houses'],
          ['GET /owners/2/houses'],
          ['DELETE /owners/1/houses/4'],
          ['DELETE /owners/2/houses/4'],
          ['GET /houses'],
          ['GET /houses/findByStreet?street=Ash'],
        ]),
      ).toMatchInlineSnapshot(`
        "GET /owners/1/houses → 200 [{"id":1,"street":"Oak","ownerId":1,"status":"free"}]
        POST /owners/1/houses → 201 /owners/1/houses/4 {"id":4,"street":"Elm","ownerId":1,
          ↳"status":"free","updatedAt":"2030-01-02T03:04:05.000Z"}
        GET /houses/4 → 200 {"id":4,"street":"Elm","ownerId":1,"status":"free",
          ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
        GET /owners/1/houses/4 → 200 {"id":4,"street":"Elm","ownerId":1,"status":"free",
          ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
        GET /owners/2/houses/4 → 404 {"message":"No record of owners.houses has the id
          ↳ \`4\`."}
        PATCH /houses/4 → 200 {"id":4,"street":"Elm","ownerId":2,"status":"free",
          ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
        GET /owners/1/houses → 200 [{"id":1,"street":"Oak","ownerId":1,"status":"free"}]
        GET /owners/2/houses → 200 [{"id":2,"street":"Ash","ownerId":2,"status":"sold"},
          ↳{"id":4,"street":"Elm","ownerId":2,"status":"free",
          ↳"updatedAt":"2030-01-02T03:04:05.000Z"}]
        DELETE /owners/1/houses/4 → 404 {"message":"No record of owners.houses has the id
          ↳ \`4\`."}
        DELETE /owners/2/houses/4 → 204
        GET /houses → 200 [{"id":1,"street":"Oak","ownerId":1,"status":"free"},{"id":2,
          ↳"street":"Ash","ownerId":2,"status":"sold"},{"id":3,"street":"Fir"}]
        GET /houses/findByStreet?street=Ash → 200 [{"id":2,"street":"Ash","ownerId":2,
          ↳"status":"sold"}]"
      `);
    },
  );
});

describe('a singleton', () => {
  test('starts with the example of the contract, and keeps changes', async () => {
    expect(
      await converse(await estateMock(), [
        ['GET /settings'],
        ['PATCH /settings', { body: { size: 4 }, type: 'application/merge-patch+json' }],
        ['PUT /settings', { body: { theme: 'light' } }],
        ['GET /settings'],
        ['GET /settings', { headers: [['Vouch-Session', 'other']] }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /settings → 200 {"theme":"dark","size":3}
      PATCH /settings → 200 {"theme":"dark","size":4}
      PUT /settings → 200 {"theme":"light"}
      GET /settings → 200 {"theme":"light"}
      GET /settings → 200 {"theme":"dark","size":3}"
    `);
  });

  test('exists once for each parent, and can be deleted if the contract allows it', async () => {
    expect(
      await converse(await estateMock(), [
        ['PUT /owners/1/address', { body: { city: 'Ulm' } }],
        ['GET /owners/1/address'],
        ['DELETE /owners/1/address'],
        ['GET /owners/1/address'],
        ['DELETE /owners/1/address'],
        ['PUT /owners/1/address', { body: { city: 'Bonn' } }],
        ['GET /owners/1/address'],
      ]),
    ).toMatchInlineSnapshot(`
      "PUT /owners/1/address → 200 {"city":"Ulm"}
      GET /owners/1/address → 200 {"city":"Ulm"}
      DELETE /owners/1/address → 204
      GET /owners/1/address → 404 {"message":"There is no owners.address."}
      DELETE /owners/1/address → 404 {"message":"There is no owners.address."}
      PUT /owners/1/address → 200 {"city":"Bonn"}
      GET /owners/1/address → 200 {"city":"Bonn"}"
    `);
  });

  test('starts with its fixture', async () => {
    const mock = await estateMock({
      fixtures: new Map([['settings', [{ id: 'only', record: { theme: 'blue' } }]]]),
    });
    expect(await converse(mock, [['GET /settings']])).toBe('GET /settings → 200 {"theme":"blue"}');
  });
});

describe('a reference', () => {
  test('to a missing record is refused as documented, unless the contract shows it', async () => {
    expect(
      await converse(await estateMock(), [
        ['POST /houses', { body: { street: 'Elm', ownerId: 9 } }],
        ['POST /houses', { body: { street: 'Elm', ownerId: 2 } }],
        ['POST /houses', { body: { street: 'Elm', ownerId: 4711 } }],
        ['PATCH /houses/1', { body: { ownerId: 9 } }],
        ['PUT /houses', { body: { id: 1, street: 'Elm', ownerId: 77 } }],
        ['PUT /houses', { body: { id: 1, street: 'Elm', ownerId: 2 } }],
        ['PUT /houses', { body: { id: 99, street: 'Elm' } }],
        ['GET /houses/1'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /houses → 422 {"message":"\`ownerId\` in the body must name a record of owners,
        ↳ and none has the id \`9\`."}
      POST /houses → 201 {"id":4,"street":"Elm","ownerId":2,"status":"free",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      POST /houses → 201 {"id":5,"street":"Elm","ownerId":4711,"status":"free",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PATCH /houses/1 → 200 {"id":1,"street":"Oak","ownerId":9,"status":"free",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PUT /houses → 404 {"message":"\`ownerId\` in the body must name a record of owners,
        ↳ and none has the id \`77\`."}
      PUT /houses → 200 {"id":1,"street":"Elm","ownerId":2,"status":"free",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PUT /houses → 404 {"message":"No record of houses has the id \`99\`."}
      GET /houses/1 → 200 {"id":1,"street":"Elm","ownerId":2,"status":"free",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });
});

describe('a reference to a missing record', () => {
  const owner = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const house = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', readOnly: true }, ownerId: { type: 'integer' } },
  };
  const answers = (schema: JsonObject, status = 200): JsonObject => ({
    [status]: { description: 'ok', content: { 'application/json': { schema } } },
  });
  const town = (refusal: string): JsonObject => ({
    '/owners': { get: { responses: answers({ type: 'array', items: owner }) } },
    '/houses': {
      get: { responses: answers({ type: 'array', items: house }) },
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: house } } },
        responses: { ...answers(house, 201), [refusal]: { description: 'no' } },
      },
    },
  });

  test.each([
    ['400', 400],
    ['404', 404],
    ['409', 409],
    ['422', 422],
    ['4XX', 400],
    ['default', 400],
    ['401', 201],
    ['500', 201],
  ])('is answered, where %s is documented, with %i', async (refusal, status) => {
    const mock = await mockOf({ contract: makeContract({ paths: town(refusal) }) });
    expect(await converse(mock, [['POST /houses', { body: { ownerId: 9 } }]])).toMatch(
      `POST /houses → ${String(status)}`,
    );
  });
});

describe('an action on a record', () => {
  test('sets the state that the verb names', async () => {
    expect(
      await converse(await estateMock(), [
        ['POST /houses/1/sell'],
        ['POST /houses/1/lock'],
        ['GET /houses/1'],
        ['POST /houses/9/sell'],
        ['POST /houses/9/ring'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /houses/1/sell → 200 {"id":1,"street":"Oak","ownerId":1,"status":"sold"}
      POST /houses/1/lock → 204
      GET /houses/1 → 200 {"id":1,"street":"Oak","ownerId":1,"status":"sold",
        ↳"locked":true}
      POST /houses/9/sell → 404 {"message":"No record of houses has the id \`9\`."}
      POST /houses/9/ring → 204"
    `);
  });
});

test('a PUT adds the record if no other operation does', async () => {
  expect(
    await converse(await estateMock(), [
      ['GET /flags/new'],
      ['PUT /flags/new', { body: { on: true } }],
      ['GET /flags/new'],
      ['PUT /flags/new', { body: { on: false } }],
      ['GET /flags/new'],
    ]),
  ).toMatchInlineSnapshot(`
    "GET /flags/new → 404 {"message":"No record of flags has the flag \`new\`."}
    PUT /flags/new → 200 {"flag":"new","on":true}
    GET /flags/new → 200 {"flag":"new","on":true}
    PUT /flags/new → 200 {"flag":"new","on":false}
    GET /flags/new → 200 {"flag":"new","on":false}"
  `);
});

test('nested records are separate per session too', async () => {
  const mock = await estateMock({ seedRecords: 2 });
  const inOther = { headers: [['Vouch-Session', 'other']] } as const;
  const before = await send(mock, 'GET /owners/1/notes', inOther);
  await send(mock, 'POST /owners/1/notes', { body: { text: 'Mine' } });
  expect(await send(mock, 'GET /owners/1/notes', inOther)).toEqual(before);
});

test('a made-up reference names the first record, although it is that of another one', async () => {
  const letter = { type: 'string', pattern: '^[a-c]$' };
  const user = { type: 'object', required: ['id'], properties: { id: letter } };
  const post = {
    type: 'object',
    required: ['id', 'userId', 'text'],
    properties: { id: { type: 'integer' }, userId: letter, text: { type: 'string' } },
  };
  const sent = { type: 'object', properties: { text: { type: 'string' } } };
  const answer = (schema: JsonObject): JsonObject => ({
    description: 'ok',
    ...jsonContent(schema),
  });
  const contract = makeContract({
    paths: {
      '/users': { get: { responses: { 200: answer({ type: 'array', items: user }) } } },
      '/posts': {
        get: { responses: { 200: answer({ type: 'array', items: post }) } },
        post: { requestBody: jsonContent(sent), responses: { 201: answer(post) } },
      },
    },
  });
  const users = fixturesOf({ users: [{ id: 'b' }, { id: 'a' }, { id: 'c' }] });
  const mock = await mockOf({ contract, fixtures: users });
  const posts = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      jsonOf(await send(mock, 'POST /posts', { body: { text: `Post ${String(index)}` } })),
    ),
  );
  const named = posts.map((one) => (one as { userId: string }).userId);
  expect(new Set(named)).toEqual(new Set(['b']));
});
