import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { isJsonObject, type JsonArray, type JsonObject } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { converse, fixturesOf, jsonOf, mockOf, send, show } from './workshop.ts';

/** The identifiers of a list's records. */
async function idsOf(mock: Mock, line: string): Promise<string> {
  const body = jsonOf(await send(mock, line));
  const records = isJsonObject(body) ? (body['items'] ?? body['data']) : body;
  return (records as JsonArray)
    .map((record) => String((record as JsonObject)['id'] ?? (record as JsonObject)['code']))
    .join(' ');
}

describe('a list', () => {
  test('is an envelope with correct metadata', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/tools?limit=1', {}, 'X-Total-Count'],
        ['GET /v2/tools?limit=1&offset=4', {}, 'X-Total-Count'],
        ['GET /v2/tools?weight=1', {}, 'X-Total-Count'],
        ['GET /v2/tools?offset=99', {}, 'X-Total-Count'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools?limit=1 → 200 5 {"items":[{"id":1,"name":"Rip","kind":"saw",
        ↳"weight":700,"tags":["wood"],"serial":"SA-0001",
        ↳"createdAt":"2029-05-05T05:05:05Z"}],"total":5,"limit":1,"hasMore":true,
        ↳"meta":{"offset":0,"pages":5}}
      GET /v2/tools?limit=1&offset=4 → 200 5 {"items":[{"id":9007199254740993,
        ↳"name":"Huge","kind":"axe","weight":9007199254740993,"serial":"AX-0002",
        ↳"createdAt":"2029-05-05T05:05:05Z"}],"total":5,"limit":1,"hasMore":false,
        ↳"meta":{"offset":4,"pages":5}}
      GET /v2/tools?weight=1 → 200 0 {"items":[],"total":0,"limit":3,"hasMore":false,
        ↳"meta":{"offset":0,"pages":1}}
      GET /v2/tools?offset=99 → 200 5 {"items":[],"total":5,"limit":3,"hasMore":false,
        ↳"meta":{"offset":99,"pages":2}}"
    `);
  });

  test.each([
    ['as long as its default says', '/v2/tools', '1 2 3'],
    ['as long as it is asked to be', '/v2/tools?limit=2', '1 2'],
    ['from where it is asked to be', '/v2/tools?limit=2&offset=3', '4 9007199254740993'],
    ['empty beyond its end', '/v2/tools?offset=5', ''],
    ['empty very far beyond its end', '/v2/tools?offset=9007199254740993', ''],
    [
      'filtered by a number, every digit of it',
      '/v2/tools?weight=9007199254740993',
      '9007199254740993',
    ],
    ['filtered before it is cut', '/v2/tools?weight=2500&limit=1', '2'],
    ['sorted by a text', '/v2/tools?sort=name&limit=9', '3 4 9007199254740993 1 2'],
    ['sorted backwards by a sign', '/v2/tools?sort=-name&limit=2', '2 1'],
    ['sorted backwards by a word', '/v2/tools?sort=name:desc&limit=2', '2 1'],
    ['sorted backwards by a parameter', '/v2/tools?sort=name&order=desc&limit=2', '2 1'],
    [
      'sorted by numbers, those without one last',
      '/v2/tools?sort=weight&limit=9',
      '1 2 9007199254740993 3 4',
    ],
    ['sorted by two fields', '/v2/tools?sort=kind,-name&limit=9', '2 9007199254740993 3 1 4'],
    ['in the order of adding, where nobody knows the field', '/v2/tools?sort=colour', '1 2 3'],
    ['in the order of adding, where no field has two lines', '/v2/tools?sort=na%0Ame', '1 2 3'],
    ['begun anew by no cursor', '/v2/shelves', 'A B'],
    ['continued by a cursor', '/v2/shelves?cursor=offset-2', 'C'],
    ['continued after a record', '/v2/shelves?cursor=A', 'B C'],
    ['of the size that is asked for', '/v2/shelves?page_size=9', 'A B C'],
  ])('is %s: %s', async (_what, target, ids) => {
    expect(await idsOf(await mockOf(), `GET ${target}`)).toBe(ids);
  });

  test('refuses an unknown cursor', async () => {
    expect(show(await send(await mockOf(), 'GET /v2/shelves?cursor=else'))).toMatchInlineSnapshot(
      `
      "400 {"error":{"code":"VALIDATION","text":"\`cursor\` in the query must be one that
        ↳ this list gave, but is \`else\`.","http_status":400,"errors":[{"field":"cursor",
        ↳"in":"query","message":"\`cursor\` in the query must be one that this list gave, but
        ↳ is \`else\`."}]}}"
    `,
    );
  });

  test('counts pages from 1, or from 0 if the contract does', async () => {
    const mock = (page: string) =>
      mockOf({
        contract: parseContract(
          `
openapi: 3.1.0
info: { title: Pages, version: '1' }
paths:
  /nuts:
    get:
      operationId: listNuts
      parameters:
        - { name: page, in: query, schema: { type: integer${page} } }
        - { name: per_page, in: query, schema: { type: integer, default: 2 } }
      responses: { '200': { description: Nuts, content: { application/json: { schema: {
          type: array, items: { type: object, properties: { id: { type: integer } } } } } } } }
`,
          'pages.yaml',
        ),
        fixtures: fixturesOf({ nuts: [1, 2, 3, 4, 5].map((id) => ({ id })) }),
      });
    expect(await idsOf(await mock(''), 'GET /nuts?page=2')).toBe('3 4');
    expect(await idsOf(await mock(', minimum: 0'), 'GET /nuts?page=2')).toBe('5');
  });
});

describe('a record', () => {
  test('is added with values of the server, without read-only members', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        [
          'POST /v2/tools',
          { body: { name: 'Plane', kind: 'file', pin: 'secret', id: 5, weight: null } },
          'Location',
        ],
        ['GET /v2/tools/9007199254740994'],
        ['POST /v2/shelves', { body: { code: 'ZZ', room: 'south' } }, 'Location'],
        ['GET /v2/shelves/ZZ'],
        ['POST /v2/shelves', { body: { code: 'ZZ' } }, 'Content-Type'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 201 /v2/tools/9007199254740994 {"id":9007199254740994,
        ↳"name":"Plane","kind":"file","weight":null,"tags":[],"serial":"ZU-1426",
        ↳"createdAt":"2030-01-02T03:04:05.000Z","updatedAt":"2030-01-02T03:04:05.000Z"}
      GET /v2/tools/9007199254740994 → 200 {"id":9007199254740994,"name":"Plane",
        ↳"kind":"file","weight":null,"tags":[],"serial":"ZU-1426",
        ↳"createdAt":"2030-01-02T03:04:05.000Z","updatedAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/shelves → 200 {"data":{"code":"ZZ","room":"south"}}
      GET /v2/shelves/ZZ → 200 {"code":"ZZ","room":"south"}
      POST /v2/shelves → 409 text/plain; charset=utf-8 A record of shelves has the code ZZ
        ↳ already. Choose another.
      "
    `);
    expect(await idsOf(mock, 'GET /v2/shelves?page_size=9')).toBe('A B C ZZ');
  });

  test('is replaced, except the fields that the service sets', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['PUT /v2/tools/1', { body: { name: 'Ripper', kind: 'saw', id: 44 } }],
        ['GET /v2/tools/1'],
        ['PUT /v2/tools/4711', { body: { name: 'Late', kind: 'axe' } }],
        ['GET /v2/tools/4711'],
        ['GET /v2/tools/44'],
      ]),
    ).toMatchInlineSnapshot(`
      "PUT /v2/tools/1 → 200 {"id":1,"name":"Ripper","kind":"saw","tags":[],
        ↳"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      GET /v2/tools/1 → 200 {"id":1,"name":"Ripper","kind":"saw","tags":[],
        ↳"serial":"SA-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PUT /v2/tools/4711 → 201 {"id":4711,"name":"Late","kind":"axe","tags":[],
        ↳"serial":"KU-2914","createdAt":"2030-01-02T03:04:05.000Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      GET /v2/tools/4711 → 200 {"id":4711,"name":"Late","kind":"axe","tags":[],
        ↳"serial":"KU-2914","createdAt":"2030-01-02T03:04:05.000Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      GET /v2/tools/44 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has
        ↳ the id \`44\`.","http_status":404}}"
    `);
    expect(await idsOf(mock, 'GET /v2/tools?limit=9')).toBe('1 2 3 4 9007199254740993 4711');
  });

  test('is changed by a merge patch, plain JSON or a JSON Patch', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['PATCH /v2/tools/2', { body: { name: 'Maul', id: 44 } }],
        ['PATCH /v2/tools/2', { body: { weight: null } }],
        ['PATCH /v2/tools/2', { body: { weight: null }, type: 'application/merge-patch+json' }],
        [
          'PATCH /v2/tools/2',
          {
            body: [
              { op: 'add', path: '/tags/1', value: 'red' },
              { op: 'remove', path: '/tags/0' },
              { op: 'replace', path: '/id', value: 9 },
            ],
            type: 'application/json-patch+json',
          },
        ],
        [
          'PATCH /v2/tools/2',
          {
            body: [{ op: 'test', path: '/name', value: 'Axe' }],
            type: 'application/json-patch+json',
          },
        ],
        [
          'PATCH /v2/tools/2',
          { body: [{ op: 'remove', path: '/name' }], type: 'application/json-patch+json' },
        ],
        [
          'PATCH /v2/tools/2',
          { body: [{ op: 'remove', path: '' }], type: 'application/json-patch+json' },
        ],
        ['PATCH /v2/tools/2', { body: { name: null } }],
        ['PATCH /v2/tools/88', { body: { name: 'x' } }],
        ['GET /v2/tools/2'],
      ]),
    ).toMatchInlineSnapshot(`
      "PATCH /v2/tools/2 → 200 {"id":2,"name":"Maul","kind":"axe","weight":2500,
        ↳"tags":["wood","heavy"],"serial":"AX-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PATCH /v2/tools/2 → 200 {"id":2,"name":"Maul","kind":"axe","weight":null,
        ↳"tags":["wood","heavy"],"serial":"AX-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PATCH /v2/tools/2 → 200 {"id":2,"name":"Maul","kind":"axe","tags":["wood","heavy"],
        ↳"serial":"AX-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PATCH /v2/tools/2 → 200 {"id":2,"name":"Maul","kind":"axe","tags":["red","heavy"],
        ↳"serial":"AX-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      PATCH /v2/tools/2 → 409 {"error":{"code":"CONFLICT","text":"The record was not
        ↳ changed: step 0 of the patch does not apply: \`/name\` is not what it tests for.",
        ↳"http_status":409}}
      PATCH /v2/tools/2 → 400 {"error":{"code":"VALIDATION","text":"This change would
        ↳ leave a record that the contract does not allow. The record must have the property
        ↳ name.","http_status":400,"errors":[{"field":"name","in":"body","message":"The
        ↳ record must have the property name."}]}}
      PATCH /v2/tools/2 → 400 {"error":{"code":"VALIDATION","text":"The record was not
        ↳ changed: step 0 of the patch does not apply: it would remove the whole.",
        ↳"http_status":400}}
      PATCH /v2/tools/2 → 400 {"error":{"code":"VALIDATION","text":"This change would
        ↳ leave a record that the contract does not allow. The record must have the property
        ↳ name.","http_status":400,"errors":[{"field":"name","in":"body","message":"The
        ↳ record must have the property name."}]}}
      PATCH /v2/tools/88 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has
        ↳ the id \`88\`.","http_status":404}}
      GET /v2/tools/2 → 200 {"id":2,"name":"Maul","kind":"axe","tags":["red","heavy"],
        ↳"serial":"AX-0001","createdAt":"2029-05-05T05:05:05Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('is deleted once', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['DELETE /v2/tools/2'],
        ['GET /v2/tools/2'],
        ['DELETE /v2/tools/2'],
        ['PATCH /v2/tools/2', { body: { name: 'x' } }],
      ]),
    ).toMatchInlineSnapshot(`
      "DELETE /v2/tools/2 → 204
      GET /v2/tools/2 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has
        ↳ the id \`2\`.","http_status":404}}
      DELETE /v2/tools/2 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has
        ↳ the id \`2\`.","http_status":404}}
      PATCH /v2/tools/2 → 404 {"error":{"code":"NOT_FOUND","text":"No record of tools has
        ↳ the id \`2\`.","http_status":404}}"
    `);
    expect(await idsOf(mock, 'GET /v2/tools?limit=9')).toBe('1 3 4 9007199254740993');
  });

  test('is not changed by a refused request', async () => {
    const store = makeMemoryStore();
    const mock = await mockOf({ store });
    const collection = { session: 'default', name: 'tools' };
    const before = await store.list(collection);
    const refused = await Promise.all([
      send(mock, 'POST /v2/tools', { body: { name: 'x' } }),
      send(mock, 'POST /v2/tools', { body: { name: 'x', kind: 'saw' }, key: false }),
      send(mock, 'POST /v2/tools', {
        body: { name: 'x', kind: 'saw' },
        headers: [['Accept', 'text/html']],
      }),
      send(mock, 'PUT /v2/tools/1', { body: { kind: 'saw' } }),
      send(mock, 'PATCH /v2/tools/1', { body: { name: null } }),
      send(mock, 'PATCH /v2/tools/1', { body: { name: 'x'.repeat(21) } }),
      send(mock, 'DELETE /v2/tools/77'),
      send(mock, 'DELETE /v2/tools/1', { headers: [['Prefer', 'code=404']] }),
    ]);
    expect(refused.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    expect(await store.list(collection)).toEqual(before);
  });

  test('loses no change to a concurrent one', async () => {
    const mock = await mockOf();
    await Promise.all([
      send(mock, 'PATCH /v2/tools/1', { body: { name: 'Both' } }),
      send(mock, 'PATCH /v2/tools/1', { body: { kind: 'axe' } }),
      send(mock, 'PATCH /v2/tools/1', { body: { tags: ['kept'] } }),
    ]);
    expect(jsonOf(await send(mock, 'GET /v2/tools/1'))).toMatchObject({
      name: 'Both',
      kind: 'axe',
      tags: ['kept'],
    });
  });

  test('gets a unique identifier, also among concurrent creates', async () => {
    const mock = await mockOf();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        send(mock, 'POST /v2/tools', { body: { name: `n${String(index)}`, kind: 'saw' } }),
      ),
    );
    expect(
      new Set(answers.map((answer) => String((jsonOf(answer) as JsonObject)['id']))).size,
    ).toBe(100);
  });
});

describe('an identifier', () => {
  const contractOf = (id: string): string => `
openapi: 3.1.0
info: { title: Identifiers, version: '1' }
paths:
  /nuts:
    get: { operationId: listNuts, responses: { '200': { description: Nuts, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Nut' } } } } } } }
    post:
      operationId: createNut
      requestBody: { content: { application/json: { schema: { type: object, properties: { size: {
          type: integer } } } } } }
      responses: { '201': { description: Added, content: { application/json: { schema: {
          $ref: '#/components/schemas/Nut' } } } } }
components: { schemas: { Nut: { type: object, required: [id], properties: { id: ${id}, size: {
    type: integer } } } } }
`;
  const add = async (
    id: string,
    ids: readonly (number | bigint | string)[],
    makeId?: () => string,
  ): Promise<string> => {
    const contract = parseContract(contractOf(id), 'identifiers.yaml');
    const mock = await mockOf({
      contract,
      fixtures: fixturesOf({ nuts: ids.map((each) => ({ id: each })) }),
      ...(makeId === undefined ? {} : { makeId }),
    });
    return show(await send(mock, 'POST /nuts', { body: { size: 1 } }));
  };

  test.each([
    [
      'an integer above all others',
      '{ type: integer, format: int64 }',
      [1, 7, 3],
      '201 {"id":8,"size":1}',
    ],
    [
      'exact beyond 2^53',
      '{ type: integer, format: int64 }',
      [9007199254740993n],
      '201 {"id":9007199254740994,"size":1}',
    ],
    [
      'the smallest that is free where the greatest is taken',
      '{ type: integer, format: int64 }',
      [1, 2, 9223372036854775807n],
      '201 {"id":3,"size":1}',
    ],
    ['within 32 bits', '{ type: integer, format: int32 }', [2147483647], '201 {"id":1,"size":1}'],
    [
      'no smaller than the contract says',
      '{ type: integer, minimum: 100, maximum: 200 }',
      [100, 200],
      '201 {"id":101,"size":1}',
    ],
    ['a text of the mock’s making', '{ type: string }', ['a'], '201 {"id":"made-1","size":1}'],
    [
      'a text as the contract wants it',
      "{ type: string, pattern: '^nut_[0-9]{2}$' }",
      ['nut_00'],
      expect.stringMatching(/^201 \{"id":"nut_\d\d","size":1\}$/),
    ],
  ])('is %s', async (_what, schema, ids, answer) => {
    expect(await add(schema, ids)).toEqual(answer);
  });

  test('is chosen by the client if allowed, and by the service if it is taken', async () => {
    const open = await mockOf({
      contract: parseContract(
        contractOf('{ type: integer }').replace(
          'properties: { size',
          'properties: { id: { type: integer }, size',
        ),
        'choice.yaml',
      ),
    });
    const needed = await mockOf({
      contract: parseContract(
        contractOf('{ type: integer }').replace(
          'properties: { size',
          'required: [id], properties: { id: { type: integer }, size',
        ),
        'choice.yaml',
      ),
    });
    const body = { id: 5, size: 1 };
    expect(
      await converse(open, [
        ['POST /nuts', { body }],
        ['POST /nuts', { body }],
        ['POST /nuts', { body: { size: 1 } }],
      ]),
    ).toBe(
      'POST /nuts → 201 {"id":5,"size":1}\nPOST /nuts → 201 {"id":6,' +
        '"size":1}\nPOST /nuts → 201 {"id":7,"size":1}',
    );
    expect(
      await converse(needed, [
        ['POST /nuts', { body }],
        ['POST /nuts', { body }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /nuts → 201 {"id":5,"size":1}
      POST /nuts → 409 {"type":"about:blank","title":"Conflict","status":409,"detail":"A
        ↳ record of nuts has the id 5 already. Choose another.","code":"conflict",
        ↳"errors":[{"in":"body","name":"id","detail":"A record of nuts has the id 5 already.
        ↳ Choose another."}]}"
    `);
  });

  test('that cannot be created is reported, and nothing is added', async () => {
    expect(await add('{ type: integer, minimum: 1, maximum: 2 }', [1, 2])).toMatchInlineSnapshot(
      `
      "501 {"type":"about:blank","title":"Not Implemented","status":501,"detail":"The mock
        ↳ cannot create this response: no identifier is left that id may have. Delete
        ↳ records, or reset the mock.","code":"not_implemented"}"
    `,
    );
    expect(await add('{ type: string }', ['same'], () => 'same')).toMatchInlineSnapshot(
      `
      "501 {"type":"about:blank","title":"Not Implemented","status":501,"detail":"The mock
        ↳ cannot create this response: no identifier is left that id may have. Delete
        ↳ records, or reset the mock.","code":"not_implemented"}"
    `,
    );
  });
});

describe('responses that do not have the record’s own form', () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Forms, version: '1' }
paths:
  /nuts:
    get: { operationId: listNuts, responses: { '200': { description: Short, content: {
        application/json: { schema: { type: array, items: { type: object,
        additionalProperties: false, required: [id, name], properties: { id: { type: integer },
        name: { type: string } } } } } } } } }
    post:
      operationId: createNut
      requestBody: { content: { application/json: { schema: { type: object, properties: { nut: {
          type: object, required: [name], properties: { name: { type: string }, size: {
          type: integer } } } } } } } }
      responses: { '201': { description: Its number, content: { application/json: { schema: {
          type: object, additionalProperties: false, required: [id], properties: { id: {
          type: integer } } } } } } }
  /nuts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNut, responses: { '200': { description: Long, content: {
        application/json: { schema: { type: object, required: [nut], properties: { nut: {
        $ref: '#/components/schemas/Nut' }, links: { type: object } } } } } } } }
    put:
      operationId: replaceNut
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: {
          type: string } } } } } }
      responses: { '200': { description: Nothing said } }
    delete: { operationId: deleteNut, responses: { '200': { description: A word, content: {
        application/json: { schema: { type: object, required: [deleted], properties: { deleted: {
        type: boolean, const: true }, id: { type: integer } } } } } } } }
components:
  schemas:
    Nut: { type: object, required: [id, name, hard], properties: { id: { type: integer }, name: {
        type: string }, size: { type: integer }, hard: { type: boolean, default: true } } }
`,
    'forms.yaml',
  );

  test('show the fields for which they have room', async () => {
    const mock = await mockOf({ contract });
    expect(
      await converse(mock, [
        ['POST /nuts', { body: { nut: { name: 'Cashew', size: 3 } } }, 'Location'],
        ['GET /nuts'],
        ['GET /nuts/1'],
        ['PUT /nuts/1', { body: { name: 'Pecan' } }],
        ['GET /nuts'],
        ['DELETE /nuts/1'],
        ['GET /nuts'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /nuts → 201 /nuts/1 {"id":1}
      GET /nuts → 200 [{"id":1,"name":"Cashew"}]
      GET /nuts/1 → 200 {"nut":{"id":1,"name":"Cashew","size":3,"hard":true}}
      PUT /nuts/1 → 200
      GET /nuts → 200 [{"id":1,"name":"Pecan"}]
      DELETE /nuts/1 → 200 {"id":1,"name":"Pecan","size":3,"hard":true,"deleted":true}
      GET /nuts → 200 []"
    `);
  });
});
