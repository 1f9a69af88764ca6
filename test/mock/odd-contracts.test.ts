import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { headerValue } from '../../src/http/message.ts';
import { isJsonArray, isJsonObject } from '../../src/json/value.ts';
import { makeMock } from '../../src/mock/contract-mock.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { converse, fixturesOf, jsonOf, mockOf, send, textOf } from './workshop.ts';

/** A contract of these paths and schemas, both in flow style YAML. */
function contractOf(paths: string, schemas = '{}'): Contract {
  return parseContract(
    `{ openapi: 3.2.0, info: { title: Odd, version: '1' }, paths: ${paths}, ` +
      `components: { schemas: ${schemas} } }`,
    'odd.yaml',
  );
}

const answer = (schema: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

describe('a path with odd segments', () => {
  test('that the document writes in encoded form is found', async () => {
    const mock = await mockOf({
      contract: contractOf(
        `{ '/a%20b': { get: { ${answer('{ const: 1 }')} } }, '/a%2Fb/{id}': { ` +
          `get: { ${answer('{ const: 2 }')} } }, '/50%': { get: { ` +
          `${answer('{ const: 3 }')} } } }`,
      ),
    });
    expect(await converse(mock, [['GET /a%20b'], ['GET /a%2fb/7'], ['GET /50%25']]))
      .toMatchInlineSnapshot(`
      "GET /a%20b → 200 1
      GET /a%2fb/7 → 200 2
      GET /50%25 → 200 3"
    `);
  });

  test('is not a hint for itself', async () => {
    const mock = await mockOf({
      contract: contractOf(`{ '/files/{name}.{ending}': { get: { ${answer('{ const: 1 }')} } } }`),
    });
    expect(textOf(await send(mock, 'GET /files/readme'))).not.toContain('Did you mean');
  });

  test('may have non-standard methods', async () => {
    const mock = await mockOf({
      contract: contractOf(
        `{ /a: { query: { ${answer('{ const: 1 }')} }, additionalOperations: { ` +
          `LINK: { ${answer('{ const: 2 }')} } } } }`,
      ),
    });
    expect(await converse(mock, [['QUERY /a'], ['LINK /a'], ['UNLINK /a']])).toMatchInlineSnapshot(`
      "QUERY /a → 200 1
      LINK /a → 200 2
      UNLINK /a → 405 {"type":"about:blank","title":"Method Not Allowed","status":405,
        ↳"detail":"This path has no UNLINK. It has: QUERY, LINK, OPTIONS.",
        ↳"code":"method_not_allowed"}"
    `);
    expect(mock.view('/a')?.allow).toBe('QUERY, LINK, OPTIONS');
  });

  test('lists by QUERY the records that its body asks for', async () => {
    const list =
      `responses: { '200': { description: ok, content: { application/json: { schema: { ` +
      `type: array, items: { $ref: '#/components/schemas/Lid' } } } } } }`;
    const query = (schema: string): string =>
      `query: { requestBody: { content: { application/json: { schema: ${schema} } } }, ${list} }`;
    const mock = await mockOf({
      contract: contractOf(
        `{ /lids: { get: { ${list} }, ${query(
          `{ type: object, properties: { colour: { type: string }, limit: { type: integer } } }`,
        )} }, '/lids/{id}': { get: { ${answer(`{ $ref: '#/components/schemas/Lid' }`)} } } }`,
        `{ Lid: { type: object, required: [id, colour], properties: { id: { type: string }, ` +
          `colour: { type: string } } } }`,
      ),
      fixtures: fixturesOf({
        lids: ['red', 'blue', 'red'].map((colour, id) => ({ id: String(id), colour })),
      }),
    });
    expect(
      await converse(mock, [
        ['QUERY /lids', { body: { colour: 'blue' } }],
        ['QUERY /lids', { body: { colour: 'red', limit: 1 } }],
        ['QUERY /lids'],
      ]),
    ).toMatchInlineSnapshot(`
      "QUERY /lids → 200 [{"id":"1","colour":"blue"}]
      QUERY /lids → 200 [{"id":"0","colour":"red"}]
      QUERY /lids → 200 [{"id":"0","colour":"red"},{"id":"1","colour":"blue"},{"id":"2",
        ↳"colour":"red"}]"
    `);
  });
});

test('a query described as a whole has no other parameters', async () => {
  const schema =
    '{ type: object, required: [a], properties: { a: { type: integer }, b: { ' +
    'type: array, items: { type: string } } }, additionalProperties: false }';
  const contract = contractOf(
    '{ /a: { get: { parameters: [{ name: all, in: querystring, content: { ' +
      `application/x-www-form-urlencoded: { schema: ${schema} } } }], ` +
      `${answer('{ const: 1 }')} } } }`,
  );
  const mock = await mockOf({ contract });
  const statuses = await Promise.all(
    ['/a', '/a?a=1', '/a?b=x&a=1&b=y', '/a?a=x', '/a?c=1', '/a?a=1&c=1'].map(async (target) => [
      target,
      (await send(mock, `GET ${target}`)).status,
    ]),
  );
  expect(Object.fromEntries(statuses)).toEqual({
    '/a': 200,
    '/a?a=1': 200,
    '/a?b=x&a=1&b=y': 200,
    '/a?a=x': 400,
    '/a?c=1': 400,
    '/a?a=1&c=1': 400,
  });
});

describe('media types that differ in their parameters', () => {
  const versions = (of: (version: number) => string): string =>
    `{ 'application/vnd.a+json; v=2': { schema: ${of(2)} }, ` +
    `'application/vnd.a+json; v=1': { schema: ${of(1)} } }`;
  const body =
    'requestBody: { content: ' +
    `${versions((version) => `{ type: object, required: [in${String(version)}] }`)} ` +
    '}';
  const contract = contractOf(
    `{ /a: { post: { ${body}, responses: { '200': { description: ok, ` +
      `content: ${versions((version) => `{ const: ${String(version)} }`)} } } ` +
      '} } }',
  );

  test.each([
    ['application/vnd.a+json; v=1', { in1: 0 }, 200],
    ['application/vnd.a+json;V="1"', { in1: 0 }, 200],
    ['application/vnd.a+json; charset=utf-8; v=1', { in2: 0 }, 400],
    ['application/vnd.a+json; v=2', { in1: 0 }, 400],
    ['application/vnd.a+json', { in2: 0 }, 200],
  ] as const)('a body of %s with %j gets %i', async (type, given, status) => {
    expect((await send(await mockOf({ contract }), 'POST /a', { body: given, type })).status).toBe(
      status,
    );
  });

  test.each([
    ['application/vnd.a+json', '2'],
    ['application/vnd.a+json; v=1', '1'],
    ['application/vnd.a+json;v=1;q=0.5, application/vnd.a+json;v=2;q=0.9', '2'],
    ['application/vnd.a+json;v=1;q=0.9, */*;q=0.1', '1'],
    ['application/vnd.a+json;v=2;q=0, */*', '1'],
  ])('who accepts %s is answered with version %s', async (accept, text) => {
    const given = await send(await mockOf({ contract }), 'POST /a', {
      headers: [['Accept', accept]],
    });
    expect([textOf(given), headerValue(given.headers, 'Content-Type')]).toEqual([
      text,
      `application/vnd.a+json; v=${text}`,
    ]);
  });

  test('a missing version is not acceptable', async () => {
    expect(
      (
        await send(await mockOf({ contract }), 'POST /a', {
          headers: [['Accept', 'application/vnd.a+json; v=3']],
        })
      ).status,
    ).toBe(406);
  });
});

test('a range of media types is refused if the client excludes all of them', async () => {
  const mock = await mockOf({
    contract: contractOf(
      `{ /a: { get: { responses: { '200': { description: ok, content: { 'image/*': {} } } } } } }`,
    ),
  });
  const statusFor = async (accept: string): Promise<number> =>
    (await send(mock, 'GET /a', { headers: [['Accept', accept]] })).status;
  expect([
    await statusFor('text/html'),
    await statusFor('text/html, image/avif'),
    await statusFor('image/*'),
  ]).toEqual([406, 200, 200]);
});

describe.each([
  [
    'beside its forms',
    "Shape: { oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/" +
      "components/schemas/Square' }], discriminator: { propertyName: kind, " +
      "mapping: { circle: '#/components/schemas/Circle', square: Square } } }",
    '',
  ],
  [
    'beside forms of which any may hold',
    "Shape: { anyOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/" +
      "components/schemas/Square' }], discriminator: { propertyName: kind, " +
      "mapping: { circle: '#/components/schemas/Circle', square: Square } } }",
    '',
  ],
  [
    'in the schema of which its forms are made',
    "Shape: { $ref: '#/components/schemas/Base' }",
    ', discriminator: { propertyName: kind, mapping: { circle: ' +
      "'#/components/schemas/Circle', square: Square } }",
  ],
])('a discriminator %s', (_place, named, within) => {
  const schemas = `{
    ${named},
    Base: { type: object, required: [id, kind], properties: { id: { type: integer,
        readOnly: true }, kind: { type: string } }${within} },
    Circle: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object,
        required: [radius], properties: { radius: { type: number } } }] },
    Square: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, required: [side],
        properties: { side: { type: number } } }] } }`;
  const shape = "{ $ref: '#/components/schemas/Shape' }";
  const path =
    `'/shapes/{id}': { parameters: [{ name: id, in: path, required: true, ` +
    `schema: { type: integer } }], get: { ${answer(shape)} } }`;
  const contract = contractOf(
    `{ /shapes: { get: { ${answer(`{ type: array, items: ${shape} }`)} } }, ` +
      `${path}, /any: { get: { ${answer(shape)} } } }`,
    schemas,
  );

  /** What tells the form of a shape apart, beside what the discriminator says of it. */
  const told = (value: unknown): unknown =>
    isJsonObject(value) ? [value['kind'], 'radius' in value ? 'circle' : 'square'] : value;

  test('names the form of each generated record', async () => {
    const mock = await makeMock({
      contract,
      store: makeMemoryStore(),
      fixtures: new Map(),
      seedRecords: 4,
      scenarios: [],
      assumptions: [],
      keys: [],
      authentication: 'off',
      clock: () => new Date(0),
      seed: 'test',
      makeId: () => 'made',
    });
    const list = jsonOf(await send(mock, 'GET /shapes', { key: false }));
    expect(isJsonArray(list) ? list.map(told) : list).toEqual([
      ['circle', 'circle'],
      ['square', 'square'],
      ['circle', 'circle'],
      ['square', 'square'],
    ]);
  });

  test('names the form of each generated value', async () => {
    const mock = await mockOf({ contract });
    const kinds = await Promise.all(
      Array.from({ length: 8 }, async (_item, seed) =>
        told(
          jsonOf(
            await send(mock, 'GET /any', {
              headers: [['Prefer', `dynamic=true, seed=${String(seed)}`]],
            }),
          ),
        ),
      ),
    );
    expect(new Set(kinds.map(String))).toEqual(new Set(['circle,circle', 'square,square']));
  });
});

test('Prefer cannot request a documented informational status', async () => {
  const mock = await mockOf({
    contract: contractOf(
      "{ /a: { get: { responses: { '101': { description: over }, default: { " +
        'description: all } } } } }',
    ),
  });
  expect(
    await converse(mock, [
      ['GET /a', { headers: [['Prefer', 'code=101']] }],
      ['GET /a?__code=100'],
      ['GET /a', { headers: [['Prefer', 'code=226']] }],
    ]),
  ).toMatchInlineSnapshot(`
    "GET /a → 400 {"type":"about:blank","title":"Bad Request","status":400,
      ↳"detail":"\`code\` in the header Prefer must be a final status such as 404, but is
      ↳ \`101\`.","code":"invalid_preference"}
    GET /a?__code=100 → 400 {"type":"about:blank","title":"Bad Request","status":400,
      ↳"detail":"\`code\` in the header Prefer must be a final status such as 404, but is
      ↳ \`100\`.","code":"invalid_preference"}
    GET /a → 226"
  `);
});

test('a page beyond the last links back to the last', async () => {
  const parameters =
    'parameters: [{ name: page, in: query, schema: { type: integer } }, { ' +
    'name: limit, in: query, schema: { type: integer } }]';
  const responses =
    `responses: { '200': { description: ok, headers: { Link: { schema: { ` +
    'type: string } } }, content: { application/json: { schema: { type: ' +
    'array, items: { type: object, required: [id], properties: { id: { type: ' +
    'integer } } } } } } } }';
  const fixtures = new Map([
    ['nuts', [1, 2, 3, 4, 5].map((id) => ({ id: String(id), record: { id } }))],
  ]);
  const mock = await mockOf({
    contract: contractOf(`{ /nuts: { get: { ${parameters}, ${responses} } } }`),
    fixtures,
  });
  const link = async (page: number): Promise<string | undefined> =>
    headerValue((await send(mock, `GET /nuts?limit=2&page=${String(page)}`)).headers, 'Link');
  expect([await link(3), await link(4), await link(9)]).toEqual([
    '</nuts?limit=2&page=2>; rel="prev", </nuts?limit=2&page=1>; rel="first"',
    '</nuts?limit=2&page=3>; rel="prev", </nuts?limit=2&page=1>; rel="first"',
    '</nuts?limit=2&page=3>; rel="prev", </nuts?limit=2&page=1>; rel="first"',
  ]);
});

test('events contain JSON of their schema', async () => {
  const data =
    '{ type: string, contentMediaType: application/json, contentSchema: { ' +
    'type: object, required: [count], properties: { count: { type: integer } ' +
    '} } }';
  const stream =
    '{ text/event-stream: { itemSchema: { type: object, required: [data], ' +
    `properties: { data: ${data} } } } }`;
  const mock = await mockOf({
    contract: contractOf(
      `{ /ticks: { get: { responses: { '200': { description: ok, content: ${stream} } } } } }`,
    ),
  });
  for (const headers of [[], [['Prefer', 'dynamic=true']]] as const) {
    const lines = textOf(await send(mock, 'GET /ticks', { headers }))
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^data: \{"count":\d+\}$/);
  }
});

test('names of members conform to propertyNames', async () => {
  const named = (rules: string): string =>
    `{ get: { ${answer(`{ type: object, minProperties: 2, propertyNames: ${rules},
        additionalProperties: { type: boolean } }`)} } }`;
  const mock = await mockOf({
    contract: contractOf(
      `{ /a: ${named("{ pattern: '^[a-z]{2}$' }")}, /b: ` +
        `${named('{ enum: [de, fr] }')}, /c: ${named('{ maxLength: 5 }')} }`,
    ),
  });
  const statuses = await Promise.all(
    ['/a', '/b', '/c'].map(async (path) => (await send(mock, `GET ${path}`)).status),
  );
  expect(statuses).toEqual([200, 200, 200]);
});

test('a list is shown in a media type without a schema too', async () => {
  const books =
    '{ type: array, items: { type: object, required: [id], properties: { id: ' +
    '{ type: integer } } } }';
  const mock = await mockOf({
    contract: contractOf(
      `{ /books: { get: { responses: { '200': { description: all, content: { ` +
        `application/json: { schema: ${books} }, application/vnd.books+json: {} ` +
        '} } } } } }',
    ),
    fixtures: new Map([['books', [{ id: '1', record: { id: 1 } }]]]),
  });
  const shown = await send(mock, 'GET /books', {
    headers: [['Accept', 'application/vnd.books+json']],
  });
  expect([shown.status, headerValue(shown.headers, 'Content-Type'), jsonOf(shown)]).toEqual([
    200,
    'application/vnd.books+json',
    [{ id: 1 }],
  ]);
});

test.each(['oneOf', 'anyOf'])(
  'a new record of several forms (%s) has what the nearest one requires',
  async (keyword) => {
    const form = (name: string): string =>
      `{ type: object, required: [id, ${name}, stamp], properties: { id: { ` +
      `type: integer, readOnly: true }, ${name}: { type: number }, stamp: { ` +
      'type: string, readOnly: true } }, additionalProperties: false }';
    const schemas = `{ Shape: { ${keyword}: [${form('radius')}, ${form('side')}] } }`;
    const shape = "{ $ref: '#/components/schemas/Shape' }";
    const body =
      'requestBody: { content: { application/json: { schema: { type: object, ' +
      'properties: { radius: { type: number }, side: { type: number } } } } } }';
    const paths =
      `{ /shapes: { get: { ${answer(`{ type: array, items: ${shape} }`)} }, ` +
      `post: { ${body}, responses: { '201': { description: made, content: { ` +
      `application/json: { schema: ${shape} } } } } } } }`;
    const made = await send(
      await mockOf({ contract: contractOf(paths, schemas) }),
      'POST /shapes',
      { body: { side: 2 } },
    );
    expect([made.status, jsonOf(made)]).toEqual([
      201,
      { id: expect.any(Number) as number, side: 2, stamp: expect.any(String) as string },
    ]);
  },
);

test('the only record of a path is changed in the envelope of its answer', async () => {
  const sky =
    '{ type: object, properties: { degrees: { type: integer }, wind: { type: string } } }';
  const whole = '{ type: object, required: [sky], properties: { sky: ' + sky + ' } }';
  const body = `requestBody: { content: { application/json: { schema: ${whole} } } }`;
  const paths = `{ /sky: { get: { ${answer(whole)} }, put: { ${body}, ${answer(whole)} } } }`;
  const mock = await mockOf({ contract: contractOf(paths) });
  const changed = { sky: { degrees: 7 } };
  expect(jsonOf(await send(mock, 'PUT /sky', { body: changed }))).toMatchObject(changed);
  expect(Object.keys(jsonOf(await send(mock, 'GET /sky')) as object)).toEqual(['sky']);
  expect(jsonOf(await send(mock, 'GET /sky'))).toMatchObject(changed);
});

test('below one parent, what was created there alone is removed from a shared set', async () => {
  const plate =
    '{ type: object, required: [id], properties: { id: { type: integer }, ' +
    'name: { type: string }, size: { type: integer } } }';
  const list = answer(`{ type: array, items: ${plate} }`);
  const named = '[{ name: label, in: path, required: true, schema: { type: string } }]';
  const item = '[{ name: id, in: path, required: true, schema: { type: integer } }]';
  const gone = "responses: { '204': { description: gone } }";
  const body = `requestBody: { content: { application/json: { schema: ${plate} } } }`;
  const paths =
    `{ /plates: { get: { ${list} } }, ` +
    `'/plates/{id}': { get: { parameters: ${item}, ${answer(plate)} } }, ` +
    `'/labels/{label}/plates': { parameters: ${named}, get: { ${list} }, ` +
    `post: { ${body}, ${answer(plate)} }, delete: { ${gone} } } }`;
  const mock = await mockOf({ contract: contractOf(paths), seedRecords: 2 });
  const countOf = async (): Promise<unknown> => {
    const shown = jsonOf(await send(mock, 'GET /plates'));
    return isJsonArray(shown) ? shown.length : undefined;
  };
  await send(mock, 'POST /labels/blue/plates', { body: { id: 9, name: 'Oval' } });
  expect(await countOf()).toBe(3);
  expect((await send(mock, 'DELETE /labels/blue/plates')).status).toBe(204);
  expect(await countOf()).toBe(2);
});
