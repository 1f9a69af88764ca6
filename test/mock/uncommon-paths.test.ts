import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { converse, fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ok = (schema: string, status = 200): string =>
  `'${String(status)}': { description: ok, ${json(schema)} }`;
const path = (...names: readonly (readonly [string, string])[]): string =>
  `parameters: [${names
    .map(([name, schema]) => `{ name: ${name}, in: path, required: true, schema: ${schema} }`)
    .join(', ')}]`;
const text = '{ type: string }';
const none = "'404': { description: none }";

function contractOf(paths: string): Contract {
  return parseContract(
    `openapi: 3.1.0\ninfo: { title: Uncommon, version: '1' }\npaths:\n${paths}`,
    'uncommon.yaml',
  );
}

const thing =
  '{ type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }';
const things =
  '  /things: { get: { responses: { ' +
  `${ok(`{ type: array, items: ${thing} }`)} } } }\n  /things/{thingId}: { ` +
  `${path(['thingId', text])}, get: { responses: { ${ok(thing)}, ${none} } ` +
  '} }\n';

test('a key of two parts identifies the record', async () => {
  const rate =
    '{ type: object, required: [from, to, rate], properties: { from: { type: ' +
    'string }, to: { type: string }, rate: { type: number } } }';
  const mock = await mockOf({
    contract: contractOf(
      `  /rates/{from}/{to}: { ${path(['from', text], ['to', text])}, get: { ` +
        `responses: { ${ok(rate)}, ${none} } }, put: { requestBody: { ` +
        `${json('{ type: object, properties: { rate: { type: number } } }')} }, ` +
        `responses: { ${ok(rate)}, ${ok(rate, 201)} } } }`,
    ),
    seedRecords: 0,
  });
  expect(
    await converse(mock, [
      ['PUT /rates/EUR/USD', { body: { rate: 1.1 } }],
      ['PUT /rates/CHF/USD', { body: { rate: 1.2 } }],
      ['GET /rates/EUR/USD'],
      ['GET /rates/USD/EUR'],
    ]),
  ).toMatchInlineSnapshot(`
    "PUT /rates/EUR/USD → 201 {"to":"USD","from":"EUR","rate":1.1}
    PUT /rates/CHF/USD → 201 {"to":"USD","from":"CHF","rate":1.2}
    GET /rates/EUR/USD → 200 {"to":"USD","from":"EUR","rate":1.1}
    GET /rates/USD/EUR → 404 {"type":"about:blank","title":"Not Found","status":404,
      ↳"detail":"No record of rates has the to \`EUR\`.","code":"not_found"}"
  `);
});

test('several values in one segment identify several records', async () => {
  const version =
    '{ type: object, required: [major, minor, notes], properties: { major: { ' +
    'type: integer }, minor: { type: integer }, notes: { type: string } } }';
  const mock = await mockOf({
    contract: contractOf(
      '  /versions/{major}.{minor}: { ' +
        `${path(['major', '{ type: integer }'], ['minor', '{ type: integer }'])}, ` +
        `get: { responses: { ${ok(version)} } }, put: { requestBody: { ` +
        `${json('{ type: object, required: [notes], properties: { notes: { type: string } } }')} ` +
        `}, responses: { ${ok(version)} } } }`,
    ),
  });
  expect(jsonOf(await send(mock, 'PUT /versions/1.2', { body: { notes: 'x' } }))).toEqual({
    major: 1,
    minor: 2,
    notes: 'x',
  });
  expect(jsonOf(await send(mock, 'GET /versions/3.4'))).toMatchObject({ major: 3, minor: 4 });
});

test('records with listed identifiers all exist', async () => {
  const section =
    '{ type: object, required: [section], properties: { section: { type: ' +
    'string, enum: [a, b, c, d] }, on: { type: boolean } } }';
  const mock = await mockOf({
    contract: contractOf(
      '  /sections/{section}: { ' +
        `${path(['section', '{ type: string, enum: [a, b, c, d] }'])}, get: { ` +
        `responses: { ${ok(section)}, ${none} } }, put: { requestBody: { ` +
        `${json('{ type: object, properties: { on: { type: boolean } } }')} }, ` +
        `responses: { ${ok(section)}, ${none} } } }`,
    ),
    seedRecords: 3,
  });
  const statuses = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map(
      async (name) => (await send(mock, `GET /sections/${name}`)).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 200, 200, 404]);
  expect(jsonOf(await send(mock, 'PUT /sections/d', { body: { on: true } }))).toEqual({
    section: 'd',
    on: true,
  });
});

test('a PUT without a body creates its record', async () => {
  const role = '{ type: object, required: [role], properties: { role: { type: string } } }';
  const contract = contractOf(
    `${things}  /things/{thingId}/roles: { ${path(['thingId', text])}, get: ` +
      `{ responses: { ${ok(`{ type: array, items: ${role} }`)} } }, post: { ` +
      `requestBody: { ${json(role)} }, responses: { ${ok(role, 201)} } } }\n  /` +
      'things/{thingId}/roles/{role}: { ' +
      `${path(['thingId', text], ['role', text])}, put: { responses: { '204': ` +
      `{ description: given }, ${none} } } }`,
  );
  const mock = await mockOf({
    contract,
    seedRecords: 0,
    fixtures: fixturesOf({ things: [{ id: 'x' }] }),
  });
  expect(
    await converse(mock, [
      ['PUT /things/x/roles/editor'],
      ['PUT /things/x/roles/editor'],
      ['GET /things/x/roles'],
      ['PUT /things/y/roles/editor'],
    ]),
  ).toMatchInlineSnapshot(`
    "PUT /things/x/roles/editor → 204
    PUT /things/x/roles/editor → 204
    GET /things/x/roles → 200 [{"role":"editor"}]
    PUT /things/y/roles/editor → 404 {"type":"about:blank","title":"Not Found",
      ↳"status":404,"detail":"No record of things has the id \`y\`.","code":"not_found"}"
  `);
});

test(
  'what is below a record that is not there is not there either, where the ' +
    'contract says that it may not be',
  async () => {
    const balance =
      '{ type: object, required: [amount], properties: { amount: { type: integer } } }';
    const contract = contractOf(
      `${things}  /things/{thingId}/balance: { ${path(['thingId', text])}, ` +
        `get: { responses: { ${ok(balance)}, ${none} } } }\n  /things/{thingId}/` +
        `picture: { ${path(['thingId', text])}, get: { responses: { '200': { ` +
        'description: ok, content: { image/png: {} } } } } }\n  /things/' +
        '{thingId}/parts/{part}/size: { ' +
        `${path(['thingId', text], ['part', text])}, get: { responses: { ` +
        `${ok(balance)}, ${none} } } }`,
    );
    const mock = await mockOf({
      contract,
      seedRecords: 0,
      fixtures: fixturesOf({ things: [{ id: 'x' }] }),
    });
    const statuses = await Promise.all(
      ['x/balance', 'y/balance', 'y/picture', 'x/parts/1/size', 'y/parts/1/size'].map(
        async (target) => `${target} ${String((await send(mock, `GET /things/${target}`)).status)}`,
      ),
    );
    expect(statuses).toEqual([
      'x/balance 200',
      'y/balance 404',
      'y/picture 200',
      'x/parts/1/size 200',
      'y/parts/1/size 404',
    ]);
  },
);

test('the bytes of an upload are not stored without a field for them', async () => {
  const contract = contractOf(
    '  /files: { get: { responses: { ' +
      `${ok(`{ type: array, items: ${thing} }`)} } }, post: { requestBody: { ` +
      'content: { multipart/form-data: { schema: { type: object, properties: { ' +
      'file: { type: string, format: binary }, more: { type: array, items: { ' +
      'type: string, contentMediaType: image/png } }, name: { type: string }, ' +
      `note: { type: string } } } } } }, responses: { ${ok(thing, 201)} } } }`,
  );
  const mock = await mockOf({ contract, seedRecords: 0, makeId: () => 'one' });
  const part = (disposition: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const body = new TextEncoder().encode(
    [
      part('name="file"; filename="a"', 'bytes'),
      part('name="more"; filename="b"', 'bytes'),
      part('name="name"', 'n'),
      part('name="note"', 'kept'),
      '--x--\r\n',
    ].join(''),
  );
  expect(
    jsonOf(await send(mock, 'POST /files', { body, type: 'multipart/form-data; boundary=x' })),
  ).toEqual({ id: 'one', name: 'n', note: 'kept' });
});

test.each([
  ["'3XX': { description: away }", '302 /v1/'],
  [
    "'307': { description: away, headers: { Location: { schema: { type: string } } } }",
    '307 https://example.com/items/42',
  ],
  ["'303': { description: away }, '304': { description: same }", '303 /v1/'],
  [
    "'5XX': { description: bad }",
    '500 {"type":"about:blank","title":"Internal Server Error","status":500,' +
      '"detail":"Internal Server Error: the contract documents no other ' +
      'answer.","code":"internal_server_error"}',
  ],
  [
    `'503': { description: bad, ` +
      `${json('{ type: object, required: [reason], properties: { reason: { const: tired } } }')} ` +
      '}',
    '503 {"reason":"tired"}',
  ],
  [
    "'101': { description: switched }",
    '501 {"type":"about:blank","title":"Not Implemented","status":501,' +
      '"detail":"The mock cannot create this response: the contract documents only ' +
      '101, and the mock cannot switch protocols. Document a response to plain ' +
      'HTTP requests.","code":"not_implemented"}',
  ],
])(
  'an operation that documents no success but %s is answered by that',
  async (responses, expected) => {
    const contract = parseContract(
      `{ openapi: 3.1.0, info: { title: Odd, version: '1' }, servers: [{ url: /` +
        `v1 }], paths: { /a: { get: { responses: { ${responses} } } } } }`,
      'odd.yaml',
    );
    const mock = await mockOf({ contract });
    // The second time it is remembered.
    for (let time = 0; time < 2; time += 1)
      expect(await converse(mock, [['GET /v1/a', {}, 'Location']])).toBe(`GET /v1/a → ${expected}`);
  },
);

test('a POST without a body creates a record if 201 is documented', async () => {
  const contract = contractOf(
    '  /carts: { post: { responses: { ' +
      `${ok('{ $ref: "#/components/schemas/Cart" }', 201)} } } }\n  /carts/` +
      `{id}: { ${path(['id', text])}, get: { responses: { ` +
      `${ok('{ $ref: "#/components/schemas/Cart" }')}, ${none} } } }\n  /carts/` +
      'renew: { post: { responses: { ' +
      `${ok('{ $ref: "#/components/schemas/Cart" }')} } } }\ncomponents: { ` +
      'schemas: { Cart: { type: object, required: [id], properties: { id: { ' +
      'type: string, readOnly: true } } } } }',
  );
  expect(contract.resources.map(({ operations }) => Object.keys(operations))).toEqual([
    ['create', 'read'],
  ]);
  expect(
    await converse(await mockOf({ contract, seedRecords: 0, makeId: () => 'one' }), [
      ['POST /carts', {}, 'Location'],
      ['GET /carts/one'],
      ['GET /carts/two'],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /carts → 201 /carts/one {"id":"one"}
    GET /carts/one → 200 {"id":"one"}
    GET /carts/two → 404 {"type":"about:blank","title":"Not Found","status":404,
      ↳"detail":"No record of carts has the id \`two\`.","code":"not_found"}"
  `);
});

test.each([
  [
    'lists of texts',
    '{ type: array, items: { type: string } }',
    {
      size: ['`size` in the body must be an integer, but is a string.'],
      name: ['The body must have the property name.'],
    },
    { base: ['No record of things has the id `9`.'] },
  ],
  [
    'texts',
    text,
    {
      size: '`size` in the body must be an integer, but is a string.',
      name: 'The body must have the property name.',
    },
    { base: 'No record of things has the id `9`.' },
  ],
  [
    'objects',
    '{ type: object, required: [message], properties: { message: { type: string } } }',
    {
      size: { message: '`size` in the body must be an integer, but is a string.' },
      name: { message: 'The body must have the property name.' },
    },
    { base: { message: 'No record of things has the id `9`.' } },
  ],
])(
  'an error that is a map from fields to %s says what is wrong with each',
  async (_name, member, wrong, missing) => {
    const error = (status: number): string =>
      ok(
        '{ type: object, required: [errors], properties: { errors: { type: ' +
          `object, additionalProperties: ${member} } } }`,
        status,
      );
    const one =
      '{ type: object, required: [id, name], properties: { id: { type: ' +
      'integer, readOnly: true }, name: { type: string }, size: { type: ' +
      'integer } } }';
    const contract = contractOf(
      '  /things: { get: { responses: { ' +
        `${ok(`{ type: array, items: ${one} }`)} } }, post: { requestBody: { ` +
        `${json(one)} }, responses: { ${ok(one, 201)}, ${error(422)} } } }\n  /` +
        `things/{id}: { ${path(['id', '{ type: integer }'])}, get: { responses: ` +
        `{ ${ok(one)}, ${error(404)} } } }`,
    );
    const mock = await mockOf({ contract, seedRecords: 0 });
    expect(jsonOf(await send(mock, 'POST /things', { body: { size: 'x' } }))).toEqual({
      errors: wrong,
    });
    expect(jsonOf(await send(mock, 'GET /things/9'))).toEqual({ errors: missing });
  },
);
