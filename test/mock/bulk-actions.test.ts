import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { overrideResources } from '../../src/contract/infer/override-resources.ts';
import { converse, fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const thing = "{ $ref: '#/components/schemas/Thing' }";
const things = `{ type: array, items: ${thing} }`;
const path = (...names: string[]): string =>
  `parameters: [${names
    .map((name) => `{ name: ${name}, in: path, required: true, schema: { type: integer } }`)
    .join(', ')}]`;

/** Things with notes below them; what is done to several of them at once is given. */
function contractOf(onThings: string, more = ''): Contract {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get: { parameters: [{ name: status, in: query, schema: { type: string } }], responses: {
        '200': { description: ok, ${json(things)} } } }
    ${onThings}
  /things/{thingId}:
    ${path('thingId')}
    get: { responses: { '200': { description: ok, ${json(thing)} }, '404': { description: none } } }
  /things/{thingId}/notes:
    ${path('thingId')}
    get: { responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Note' } }")} }, '404': {
        description: none } } }
    post: { requestBody: { ${json("{ $ref: '#/components/schemas/Note' }")} }, responses: {
        '201': { description: made, ${json("{ $ref: '#/components/schemas/Note' }")} } } }
    delete: { operationId: clearNotes, responses: { '204': { description: gone }, '404': {
        description: none } } }
  ${more}
components:
  schemas:
    Thing: { type: object, required: [name], properties: { id: { type: integer, readOnly: true },
        name: { type: string, minLength: 1 }, status: { type: string }, size: {
        type: integer } } }
    Note: { type: object, required: [text], properties: { id: { type: integer, readOnly: true },
        text: { type: string } } }
`,
    'things.yaml',
  );
}

const fixtures = fixturesOf({
  things: [
    { id: 1, name: 'a', status: 'done', size: 1 },
    { id: 2, name: 'b', status: 'new', size: 2 },
    { id: 3, name: 'c', status: 'done', size: 3 },
  ],
});
const clearing = (parameters: string, responses: string, body = ''): string =>
  `delete: { operationId: clear, parameters: [${parameters}], ${body} ` +
  `responses: { ${responses} } }`;
const query = (name: string, schema = '{ type: string }'): string =>
  `{ name: ${name}, in: query, schema: ${schema} }`;
const gone = "'204': { description: gone }";

describe('a collection is cleared', () => {
  test('of all records, with nested ones, and of matching ones', async () => {
    const mock = await mockOf({
      contract: contractOf(
        clearing(`${query('status')}, ${query('minSize', '{ type: integer }')}`, gone),
      ),
      fixtures,
      seedRecords: 0,
    });
    expect(
      await converse(mock, [
        ['POST /things/1/notes', { body: { text: 'x' } }],
        ['DELETE /things?status=done&minSize=2'],
        ['GET /things?status=done'],
        ['DELETE /things?status=done'],
        ['GET /things'],
        ['GET /things/1/notes'],
        ['DELETE /things'],
        ['GET /things'],
        ['DELETE /things'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /things/1/notes → 201 {"id":1,"text":"x"}
      DELETE /things?status=done&minSize=2 → 204
      GET /things?status=done → 200 [{"id":1,"name":"a","status":"done","size":1}]
      DELETE /things?status=done → 204
      GET /things → 200 [{"id":2,"name":"b","status":"new","size":2}]
      GET /things/1/notes → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"No record of things has the id \`1\`.","code":"not_found"}
      DELETE /things → 204
      GET /things → 200 []
      DELETE /things → 204"
    `);
  });

  test('below one record only', async () => {
    const mock = await mockOf({ contract: contractOf(''), fixtures, seedRecords: 0 });
    expect(
      await converse(mock, [
        ['POST /things/1/notes', { body: { text: 'x' } }],
        ['POST /things/2/notes', { body: { text: 'y' } }],
        ['DELETE /things/1/notes'],
        ['GET /things/1/notes'],
        ['GET /things/2/notes'],
        ['DELETE /things/9/notes'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /things/1/notes → 201 {"id":1,"text":"x"}
      POST /things/2/notes → 201 {"id":1,"text":"y"}
      DELETE /things/1/notes → 204
      GET /things/1/notes → 200 []
      GET /things/2/notes → 200 [{"id":1,"text":"y"}]
      DELETE /things/9/notes → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"No record of things has the id \`9\`.","code":"not_found"}"
    `);
  });

  test.each([
    [
      'their number',
      '{ type: object, required: [deletedCount], properties: { deletedCount: { ' +
        'type: integer }, ok: { const: true } } }',
      { deletedCount: 2, ok: true },
    ],
    ['their identifiers', '{ type: array, items: { type: integer } }', [1, 3]],
    [
      'a member with their identifiers',
      '{ type: object, properties: { ids: { type: array, items: { type: integer } } } }',
      { ids: [1, 3] },
    ],
    [
      'the records',
      things,
      [
        { id: 1, name: 'a', status: 'done', size: 1 },
        { id: 3, name: 'c', status: 'done', size: 3 },
      ],
    ],
    [
      'an envelope around them',
      '{ type: object, required: [total, items], properties: { total: { type: ' +
        `integer }, items: ${things} } }`,
      {
        total: 2,
        items: [
          { id: 1, name: 'a', status: 'done', size: 1 },
          { id: 3, name: 'c', status: 'done', size: 3 },
        ],
      },
    ],
  ])('and answers %s', async (_name, schema, expected) => {
    const mock = await mockOf({
      contract: contractOf(
        clearing(query('status'), `'200': { description: ok, ${json(schema)} }`),
      ),
      fixtures,
      seedRecords: 0,
    });
    expect(jsonOf(await send(mock, 'DELETE /things?status=done'))).toEqual(expected);
    expect(jsonOf(await send(mock, 'GET /things'))).toHaveLength(1);
  });

  test.each([
    ['a list of identifiers', '{ type: array, items: { type: integer } }', [1, 2]],
    [
      'a member of that name',
      '{ type: object, required: [ids], properties: { ids: { type: array, ' +
        'items: { type: integer } } } }',
      { ids: [1, 2] },
    ],
    [
      'a member with the name of the record before it',
      '{ type: object, properties: { thingIds: { type: array, items: { type: ' +
        'integer } }, reason: { type: string } } }',
      { thingIds: [2, 1], reason: 'so' },
    ],
  ])('of the records that %s in the body names', async (_name, schema, body) => {
    const mock = await mockOf({
      contract: contractOf(clearing('', gone, `requestBody: { required: true, ${json(schema)} },`)),
      fixtures,
      seedRecords: 0,
    });
    expect((await send(mock, 'DELETE /things', { body })).status).toBe(204);
    expect(jsonOf(await send(mock, 'GET /things'))).toMatchObject([{ id: 3 }]);
  });

  test.each([
    [
      'a query parameter that says nothing of records',
      clearing(query('dryRun', '{ type: boolean }'), gone),
      'DELETE /things?dryRun=true',
      undefined,
    ],
    [
      'a body that says nothing of records',
      clearing('', gone, `requestBody: { ${json('{ type: object }')} },`),
      'DELETE /things',
      { reason: 'so' },
    ],
  ])('of nothing where the request has %s', async (_name, operation, line, body) => {
    const mock = await mockOf({ contract: contractOf(operation), fixtures, seedRecords: 0 });
    expect((await send(mock, line, body === undefined ? {} : { body })).status).toBe(204);
    expect(jsonOf(await send(mock, 'GET /things'))).toHaveLength(3);
    expect((await send(mock, 'DELETE /things')).status).toBe(204);
    expect(jsonOf(await send(mock, 'GET /things'))).toHaveLength(0);
  });

  test('of the requested number, and of all without a limit', async () => {
    const mock = await mockOf({
      contract: contractOf(clearing(query('limit', '{ type: integer, default: 1 }'), gone)),
      fixtures,
      seedRecords: 0,
    });
    expect((await send(mock, 'DELETE /things?limit=2')).status).toBe(204);
    expect(jsonOf(await send(mock, 'GET /things'))).toMatchObject([{ id: 3 }]);
    await mock.reset();
    expect((await send(mock, 'DELETE /things')).status).toBe(204);
    expect(jsonOf(await send(mock, 'GET /things'))).toEqual([]);
  });

  test('with 404 if nothing matches and the contract documents it', async () => {
    const mock = await mockOf({
      contract: contractOf(clearing(query('status'), `${gone}, '404': { description: none }`)),
      fixtures,
      seedRecords: 0,
    });
    expect(
      await converse(mock, [
        ['DELETE /things?status=none'],
        ['DELETE /things'],
        ['DELETE /things'],
      ]),
    ).toMatchInlineSnapshot(`
      "DELETE /things?status=none → 404 {"type":"about:blank","title":"Not Found",
        ↳"status":404,"detail":"No record of things matches, so that none was removed.",
        ↳"code":"not_found"}
      DELETE /things → 204
      DELETE /things → 204"
    `);
  });

  test('unless the configuration disables it', async () => {
    const contract = contractOf(
      clearing('', gone),
      `/purge: { post: { operationId: purge, responses: { ${gone} } } }`,
    );
    const bulk = (operations: Record<string, string | false>): string[] =>
      overrideResources(contract, { things: { operations } }).inference.bulkActions.map(
        ({ operation, does }) => `${does} ${operation.id}`,
      );
    expect(bulk({})).toEqual(['clear clear', 'clear clearNotes']);
    expect(bulk({ clear: false })).toEqual(['clear clearNotes']);
    expect(bulk({ clear: 'purge' })).toEqual(['clear clearNotes', 'clear purge']);
  });
});

const adding = (schema: string, answer: string): string =>
  '{ post: { operationId: add, requestBody: { required: true, ' +
  `${json(schema)} }, responses: { '201': { description: made, ` +
  `${json(answer)} }, '409': { description: taken } } } }`;

describe('several records are added at once', () => {
  test.each([
    [
      '/things/batch',
      things,
      things,
      [{ name: 'x' }, { name: 'y', id: 77 }],
      [
        { id: 4, name: 'x' },
        { id: 5, name: 'y' },
      ],
    ],
    [
      '/things:batchCreate',
      `{ type: object, required: [items], properties: { items: ${things} } }`,
      `{ type: object, properties: { items: ${things} } }`,
      { items: [{ name: 'x' }] },
      { items: [{ id: 4, name: 'x' }] },
    ],
    [
      '/things/bulk',
      things,
      '{ type: object, required: [created], properties: { created: { type: integer } } }',
      [{ name: 'x' }, { name: 'y' }],
      { created: 2 },
    ],
  ])('by %s', async (where, schema, answer, body, expected) => {
    const mock = await mockOf({
      contract: contractOf('', `${where}: ${adding(schema, answer)}`),
      fixtures,
      seedRecords: 0,
    });
    expect(jsonOf(await send(mock, `POST ${where}`, { body }))).toEqual(expected);
    expect(jsonOf(await send(mock, 'GET /things/4'))).toEqual({ id: 4, name: 'x' });
  });

  test('by the create of the collection, if its body is a list', async () => {
    const envelope = `{ type: object, required: [things], properties: { things: ${things} } }`;
    const mock = await mockOf({
      contract: contractOf(`post: ${adding(things, envelope).slice('{ post: '.length, -2)}`),
      fixtures,
      seedRecords: 0,
    });
    expect(
      await converse(mock, [
        ['POST /things', { body: [{ name: 'x' }] }],
        ['GET /things/4'],
        ['POST /things', { body: [] }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /things → 201 {"things":[{"id":4,"name":"x"}]}
      GET /things/4 → 200 {"id":4,"name":"x"}
      POST /things → 201 {"things":[]}"
    `);
  });

  test('or changed, if the batch says so and they are there', async () => {
    const boxes = `{ type: array, items: { $ref: '#/components/schemas/Box' } }`;
    const batch = (method: string, summary: string): string =>
      `${method}: { summary: ${summary}, requestBody: { ${json(boxes)} }, responses: {
        '200': { description: ok, ${json(boxes)} }, '404': { description: none } } }`;
    const mock = await mockOf({
      contract: parseContract(
        `
openapi: 3.1.0
info: { title: Boxes, version: '1' }
paths:
  /boxes: { get: { responses: { '200': { description: ok, ${json(boxes)} } } } }
  /boxes/batch:
    ${batch('post', 'Update multiple boxes')}
    ${batch('put', 'Create multiple boxes')}
components:
  schemas:
    Box: { type: object, properties: { id: { type: integer }, name: { type: string },
        size: { type: integer } } }
`,
        'boxes.yaml',
      ),
      fixtures: fixturesOf({
        boxes: [
          { id: 1, name: 'a', size: 1 },
          { id: 2, name: 'b', size: 2 },
        ],
      }),
      seedRecords: 0,
    });
    const shown = await converse(mock, [
      ['POST /boxes/batch', { body: [{ id: 2, name: 'x' }] }],
      ['POST /boxes/batch', { body: [{ id: 1, name: 'y' }, { id: 9 }] }],
      ['PUT /boxes/batch', { body: [{ name: 'z' }] }],
      ['GET /boxes'],
    ]);
    expect(shown).toMatchInlineSnapshot(`
      "POST /boxes/batch → 200 [{"id":2,"name":"x","size":2}]
      POST /boxes/batch → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"\`[1]\` in the body is refused, and so nothing changes. No record of boxes
        ↳ has the id \`9\`.","code":"not_found"}
      PUT /boxes/batch → 200 [{"id":3,"name":"z"}]
      GET /boxes → 200 [{"id":1,"name":"a","size":1},{"id":2,"name":"x","size":2},{"id":3,
        ↳"name":"z"}]"
    `);
  });

  test('or none of them, if one cannot be added', async () => {
    const named = '{ type: object, required: [slug], properties: { slug: { type: string } } }';
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Pages, version: '1' }
paths:
  /pages: { get: { responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${named} }`)} } } }, post: { requestBody: {
      ${json(`{ type: array, items: ${named} }`)} }, responses: { '201': { description: made },
      '409': { description: taken } } } }
  /pages/{slug}: { ${path('slug').replace('integer', 'string')}, get: { responses: { '200': {
      description: ok, ${json(named)} } } } }
`,
      'pages.yaml',
    );
    const mock = await mockOf({ contract, seedRecords: 0 });
    expect(
      await converse(mock, [
        ['POST /pages', { body: [{ slug: 'a' }, { slug: 'b' }] }],
        ['POST /pages', { body: [{ slug: 'c' }, { slug: 'a' }] }],
        ['GET /pages'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /pages → 201
      POST /pages → 409 {"type":"about:blank","title":"Conflict","status":409,
        ↳"detail":"\`[1]\` in the body is refused, and so nothing changes. A record of pages
        ↳ has the slug a already. Choose another.","code":"conflict","errors":[{"in":"body",
        ↳"name":"slug","detail":"A record of pages has the slug a already. Choose
        ↳ another."}]}
      GET /pages → 200 [{"slug":"a"},{"slug":"b"}]"
    `);
  });

  test.each([
    [
      'a record with one list in it',
      '{ type: object, properties: { name: { type: string }, parts: { type: ' +
        'array, items: { type: object, properties: { name: { type: string } } } ' +
        '} } }',
    ],
    [
      'a list of something else',
      '{ type: array, items: { type: object, properties: { colour: { type: string } } } }',
    ],
    ['a list of texts', '{ type: array, items: { type: string } }'],
  ])('but not by %s', (_name, schema) => {
    const contract = contractOf('', `/things/batch: ${adding(schema, things)}`);
    expect(contract.inference.bulkActions.filter(({ does }) => does === 'create')).toEqual([]);
  });
});

test('a view on another list is not cleared with it', async () => {
  const mock = await mockOf({
    contract: contractOf(
      '',
      `/things/trash: { get: { responses: { '200': { description: ok, ` +
        `${json(things)} } } }, delete: { operationId: empty, responses: { ` +
        `${gone} } } }`,
    ),
    fixtures,
    seedRecords: 0,
  });
  expect((await send(mock, 'DELETE /things/trash')).status).toBe(204);
  expect(jsonOf(await send(mock, 'GET /things'))).toHaveLength(3);
});

describe('all records are replaced at once', () => {
  const member =
    '{ type: object, required: [email], properties: { email: { type: string ' +
    '}, level: { type: integer, maximum: 9 } } }';
  const members = `{ type: array, items: ${member} }`;
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Clubs, version: '1' }
paths:
  /clubs: { get: { responses: { '200': { description: ok,
      ${json(`{ type: array, items: { type: object, required: [id],
          properties: { id: { type: integer } } } }`)} } } } }
  /clubs/{clubId}: { ${path('clubId')}, get: { responses: { '200': { description: ok,
      ${json('{ type: object, required: [id], properties: { id: { type: integer } } }')} } } } }
  /clubs/{clubId}/members:
    ${path('clubId')}
    get: { responses: { '200': { description: ok, ${json(members)} } } }
    put: { requestBody: { required: true, ${json(members)} }, responses: { '200': {
        description: ok, ${json(members)} }, '409': { description: twice }, '404': {
        description: none } } }
  /clubs/{clubId}/members/{email}: { parameters: [{ name: clubId, in: path, required: true,
      schema: { type: integer } }, { name: email, in: path, required: true, schema: {
      type: string } }], get: { responses: { '200': { description: ok, ${json(member)} } } } }
`,
    'clubs.yaml',
  );

  test('with the records of the body, or not at all', async () => {
    const mock = await mockOf({
      contract,
      seedRecords: 0,
      fixtures: fixturesOf({ clubs: [{ id: 1 }, { id: 2 }] }),
    });
    expect(
      await converse(mock, [
        ['PUT /clubs/1/members', { body: [{ email: 'b', level: 1 }, { email: 'a' }] }],
        ['PUT /clubs/2/members', { body: [{ email: 'z' }] }],
        ['PUT /clubs/1/members', { body: [{ email: 'a', level: 2 }] }],
        ['GET /clubs/1/members'],
        ['PUT /clubs/1/members', { body: [{ email: 'c' }, { email: 'c' }] }],
        ['GET /clubs/1/members'],
        ['PUT /clubs/1/members', { body: [] }],
        ['GET /clubs/1/members'],
        ['GET /clubs/2/members'],
        ['PUT /clubs/9/members', { body: [] }],
      ]),
    ).toMatchInlineSnapshot(`
      "PUT /clubs/1/members → 200 [{"email":"b","level":1},{"email":"a"}]
      PUT /clubs/2/members → 200 [{"email":"z"}]
      PUT /clubs/1/members → 200 [{"email":"a","level":2}]
      GET /clubs/1/members → 200 [{"email":"a","level":2}]
      PUT /clubs/1/members → 409 {"type":"about:blank","title":"Conflict","status":409,
        ↳"detail":"\`[1]\` in the body is refused, and so nothing changes. A record of
        ↳ clubs.members has the email c already. Choose another.","code":"conflict",
        ↳"errors":[{"in":"body","name":"email","detail":"A record of clubs.members has the
        ↳ email c already. Choose another."}]}
      GET /clubs/1/members → 200 [{"email":"a","level":2}]
      PUT /clubs/1/members → 200 []
      GET /clubs/1/members → 200 []
      GET /clubs/2/members → 200 [{"email":"z"}]
      PUT /clubs/9/members → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"No record of clubs has the id \`9\`.","code":"not_found"}"
    `);
  });

  test('only if the client chooses identifiers', () => {
    const named = contractOf(
      'put: { operationId: replaceAll, requestBody: { required: true, ' +
        `${json(`{ type: array, items: ${thing} }`)} }, responses: { '200': { ` +
        'description: ok } } }',
    );
    expect(named.inference.bulkActions.map(({ operation }) => operation.id)).toEqual([
      'clearNotes',
    ]);
    expect(contract.inference.bulkActions.map(({ does }) => does)).toEqual(['replace']);
  });
});
