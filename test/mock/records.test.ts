import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

function listing(envelope: string, parameters = ''): Contract {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Lists, version: '1' }
paths:
  /nuts:
    get:
      operationId: listNuts
      parameters: [{ name: size, in: query, schema: { type: integer, default: 2 } }${parameters}]
      responses: { '200': { description: Nuts, content: { application/json: {
          schema: ${envelope} } } } }
`,
    'lists.yaml',
  );
}

const nuts = fixturesOf({ nuts: [1, 2, 3, 4, 5].map((id) => ({ id })) });
const items =
  'type: array, items: { type: object, required: [id], properties: { id: { type: integer } } }';

describe('an envelope', () => {
  test('has its known members, in any form', async () => {
    const envelopes: readonly (readonly [
      name: string,
      envelope: string,
      parameters: string,
      queries: readonly string[],
    ])[] = [
      [
        'Spring’s',
        '{ type: object, required: [content, totalElements, last, empty], ' +
          `properties: { content: { ${items} }, totalElements: { type: integer }, ` +
          'totalPages: { type: integer }, size: { type: integer }, ' +
          'numberOfElements: { type: integer }, last: { type: boolean }, empty: { ' +
          'type: boolean } } }',
        ', { name: page, in: query, schema: { type: integer } }',
        ['', '?page=3', '?page=9'],
      ],
      [
        'one with links',
        '{ type: object, required: [data, has_more, next_cursor, page], ' +
          `properties: { data: { ${items} }, has_more: { type: boolean }, ` +
          'has_previous: { type: boolean }, next_cursor: { type: string }, page: { ' +
          'type: integer } } }',
        ', { name: cursor, in: query, schema: { type: string } }',
        ['', '?cursor=offset-2', '?cursor=offset-4'],
      ],
      [
        'one that may say null',
        '{ type: object, required: [data, paging], properties: { data: { ' +
          `${items} }, paging: { type: object, required: [next_token], properties: ` +
          `{ next_token: { type: [string, 'null'] }, skip: { type: integer } } } } ` +
          '}',
        ', { name: next_token, in: query, schema: { type: string } }',
        ['', '?next_token=offset-4'],
      ],
      [
        'one that numbers other pages',
        `{ type: object, required: [data], properties: { data: { ${items} }, meta: { ` +
          'type: object, properties: { current_page: { type: integer }, ' +
          "next_page: { type: [integer, 'null'] }, prev_page: { type: [integer, 'null'] } } } } }",
        ', { name: page, in: query, schema: { type: integer } }',
        ['', '?page=2', '?page=3'],
      ],
      [
        'a bare list',
        `{ ${items} }`,
        ', { name: offset, in: query, schema: { type: integer } }',
        ['', '?offset=4', '?offset=-3'],
      ],
    ];
    const talks = await Promise.all(
      envelopes.map(async ([name, envelope, parameters, queries]) => {
        const mock = await mockOf({ contract: listing(envelope, parameters), fixtures: nuts });
        return `${name}\n${await converse(
          mock,
          queries.map((query) => [`GET /nuts${query}`] as const),
        )}`;
      }),
    );
    expect(talks.join('\n')).toMatchInlineSnapshot(`
      "Spring’s
      GET /nuts → 200 {"content":[{"id":1},{"id":2}],"totalElements":5,"totalPages":3,
        ↳"size":2,"numberOfElements":2,"last":false,"empty":false}
      GET /nuts?page=3 → 200 {"content":[{"id":5}],"totalElements":5,"totalPages":3,
        ↳"size":2,"numberOfElements":1,"last":true,"empty":false}
      GET /nuts?page=9 → 200 {"content":[],"totalElements":5,"totalPages":3,"size":2,
        ↳"numberOfElements":0,"last":true,"empty":true}
      one with links
      GET /nuts → 200 {"data":[{"id":1},{"id":2}],"has_more":true,"has_previous":false,
        ↳"next_cursor":"offset-2","page":1}
      GET /nuts?cursor=offset-2 → 200 {"data":[{"id":3},{"id":4}],"has_more":true,
        ↳"has_previous":true,"next_cursor":"offset-4","page":2}
      GET /nuts?cursor=offset-4 → 200 {"data":[{"id":5}],"has_more":false,
        ↳"has_previous":true,"next_cursor":"","page":3}
      one that may say null
      GET /nuts → 200 {"data":[{"id":1},{"id":2}],"paging":{"next_token":"offset-2",
        ↳"skip":0}}
      GET /nuts?next_token=offset-4 → 200 {"data":[{"id":5}],"paging":{"next_token":null,
        ↳"skip":4}}
      one that numbers other pages
      GET /nuts → 200 {"data":[{"id":1},{"id":2}],"meta":{"current_page":1,"next_page":2,
        ↳"prev_page":null}}
      GET /nuts?page=2 → 200 {"data":[{"id":3},{"id":4}],"meta":{"current_page":2,
        ↳"next_page":3,"prev_page":1}}
      GET /nuts?page=3 → 200 {"data":[{"id":5}],"meta":{"current_page":3,"next_page":null,
        ↳"prev_page":2}}
      a bare list
      GET /nuts → 200 [{"id":1},{"id":2}]
      GET /nuts?offset=4 → 200 [{"id":5}]
      GET /nuts?offset=-3 → 200 [{"id":1},{"id":2}]"
    `);
  });
});

test('secrets are not in responses at any depth', async () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Secrets, version: '1' }
paths:
  /users:
    get: { operationId: listUsers, responses: { '200': { description: Users, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/User' } } } } } } }
    post:
      operationId: createUser
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: Added, content: { application/json: { schema: {
          $ref: '#/components/schemas/User' } } } } }
components:
  schemas:
    Secret: { type: object, properties: { hint: { type: string }, value: { type: string,
        writeOnly: true } } }
    User:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        password: { type: string, writeOnly: true }
        login: { $ref: '#/components/schemas/Secret' }
        tokens: { type: array, items: { $ref: '#/components/schemas/Secret' } }
        notes: { type: array }
`,
    'secrets.yaml',
  );
  const user = {
    name: 'Ida',
    password: 's1',
    login: { hint: 'cat', value: 's2' },
    tokens: [{ hint: 'dog', value: 's3' }, { value: 's4' }],
    notes: [{ value: 'no secret' }],
  };
  const talk = await converse(await mockOf({ contract }), [
    ['POST /users', { body: user }],
    ['GET /users'],
  ]);
  expect(talk).not.toMatch(/s[1-4]/);
  expect(talk).toMatchInlineSnapshot(`
    "POST /users → 201 {"id":1,"name":"Ida","login":{"hint":"cat"},
      ↳"tokens":[{"hint":"dog"},{}],"notes":[{"value":"no secret"}]}
    GET /users → 200 [{"id":1,"name":"Ida","login":{"hint":"cat"},
      ↳"tokens":[{"hint":"dog"},{}],"notes":[{"value":"no secret"}]}]"
  `);
});

test('null stays null', async () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Nulls, version: '1' }
paths:
  /nuts:
    get: { operationId: listNuts, responses: { '200': { description: Nuts, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Nut' } } } } } } }
    post:
      operationId: createNut
      requestBody: { required: true, content: { application/json: { schema: { type: object,
          properties: { size: { type: [integer, 'null'], default: null } } } } } }
      responses: { '201': { description: Added, content: { application/json: { schema: {
          $ref: '#/components/schemas/Nut' } } } } }
  /squeeze: { post: { operationId: squeeze, requestBody: { content: { application/json: {
      schema: { type: object } } } }, responses: { '200': { description: Squeezed, content: {
      application/json: { schema: { type: object, required: [createdAt], properties: {
      createdAt: { type: [string, 'null'], format: date-time } } } } } } } } }
components: { schemas: { Nut: { type: object, required: [id, owner], properties: { id: {
    type: integer }, size: { type: [integer, 'null'] }, owner: { type: [string, 'null'],
    default: null } } } } }
`,
    'nulls.yaml',
  );
  expect(
    await converse(await mockOf({ contract }), [
      ['POST /nuts', { body: {} }],
      ['POST /squeeze', { body: { createdAt: null } }],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /nuts → 201 {"id":1,"size":null,"owner":null}
    POST /squeeze → 200 {"createdAt":null}"
  `);
});

test('a range of media types gets one of them', async () => {
  const of = (type: string, schema: string): string =>
    `{ get: { operationId: 'get ${type}', responses: { '200': { description: ` +
    `Fine, content: { '${type}': { schema: ${schema} } } } } } }`;
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Ranges, version: '1' }
paths:
  /any: ${of(
    '*/*',
    `{ type: object, required: [n], properties: { n: { type: integer,
      const: 1 } } }`,
  )}
  /application: ${of('application/*', '{ type: boolean, const: true }')}
  /text: ${of('text/*', '{ type: string, const: word }')}
  /image: ${of('image/*', '{ type: string, const: bytes }')}
  /number: ${of('text/plain', '{ type: integer, const: 5 }')}
`,
    'ranges.yaml',
  );
  const mock = await mockOf({ contract });
  expect(
    await converse(
      mock,
      ['any', 'application', 'text', 'image', 'number'].map(
        (path) => [`GET /${path}`, {}, 'Content-Type'] as const,
      ),
    ),
  ).toMatchInlineSnapshot(`
    "GET /any → 200 application/json {"n":1}
    GET /application → 200 application/json true
    GET /text → 200 text/plain; charset=utf-8 word
    GET /image → 200 image/png bytes
    GET /number → 200 text/plain; charset=utf-8 5"
  `);
});
