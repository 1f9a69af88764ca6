import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { converse, fixturesOf, jsonOf, mockOf, send } from './workshop.ts';
import { expectKept } from './keeps-contract.ts';

const estate = parseContract(
  readFileSync(new URL('contracts/estate.yaml', import.meta.url), 'utf8'),
  'estate.yaml',
);

const list = async (
  mock: Awaited<ReturnType<typeof mockOf>>,
  line: string,
): Promise<JsonObject[]> => {
  const answer = await send(mock, line);
  expectKept(estate, answer);
  // A list of the estate's is a bare array of objects.
  return jsonOf(answer) as unknown as JsonObject[];
};

describe('a mock without fixtures', () => {
  test('starts with a few records, equal for equal seeds', async () => {
    const [one, same, other] = await Promise.all(
      ['s', 's', 't'].map(async (seed) =>
        list(await mockOf({ contract: estate, seedRecords: 3, seed }), 'GET /owners'),
      ),
    );
    expect(one?.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('can start empty', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 0 });
    expect(await converse(mock, [['GET /owners'], ['GET /settings']])).toBe(
      'GET /owners → 200 []\nGET /settings → 200 {"theme":"dark","size":3}',
    );
  });

  test('has references to existing records', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 3 });
    const houses = await list(mock, 'GET /houses');
    const owners = await list(mock, 'GET /owners');
    expect(houses).toHaveLength(3);
    for (const house of houses) expect(owners.map(({ id }) => id)).toContain(house['ownerId']);
    expect(await list(mock, `GET /owners/${String(houses[0]?.['ownerId'])}/houses`)).toContainEqual(
      houses[0],
    );
  });

  test('has nested records below initial ones, and none below new ones', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 2 });
    expect(await list(mock, 'GET /owners/2/notes')).toHaveLength(2);
    await send(mock, 'POST /owners', { body: { name: 'New' } });
    expect(await list(mock, 'GET /owners/3/notes')).toEqual([]);
  });

  test('lists the records that it can read', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 3 });
    const owners = await list(mock, 'GET /owners');
    expect(owners).toHaveLength(3);
    for (const owner of owners)
      expect(jsonOf(await send(mock, `GET /owners/${String(owner['id'])}`))).toEqual(owner);
  });

  test('changes, deletes and adds, and is restored by a reset', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 3 });
    const before = await list(mock, 'GET /owners');
    await send(mock, 'DELETE /owners/2');
    expect((await send(mock, 'DELETE /owners/2')).status).toBe(404);
    const added = jsonOf(await send(mock, 'POST /owners', { body: { name: 'New' } }));
    expect(added).toEqual({ id: 4, name: 'New' });
    expect(await list(mock, 'GET /owners')).toEqual([before[0], before[2], added]);
    await mock.reset();
    expect(await list(mock, 'GET /owners')).toEqual(before);
  });

  test('fills a collection once for concurrent changes', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 3 });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(mock, 'POST /owners', { body: { name: String(index) } }),
      ),
    );
    const ids = (await list(mock, 'GET /owners')).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  });

  test('restores a snapshot after any changes', async () => {
    const mock = await mockOf({ contract: estate, seedRecords: 3 });
    await send(mock, 'DELETE /owners/1');
    const snapshot = await mock.snapshot('default');
    await send(mock, 'DELETE /owners/2');
    await mock.restore(snapshot, 'default');
    expect((await list(mock, 'GET /owners')).map(({ id }) => id)).toEqual([2, 3]);
  });

  test('generates no records before the first change', async () => {
    const store = makeMemoryStore();
    const mock = await mockOf({ contract: estate, seedRecords: 3, store });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(mock, 'GET /owners', { headers: [['Vouch-Session', `s${String(index)}`]] }),
      ),
    );
    expect(await store.sessions()).toEqual([]);
  });

  test('uses fixtures where given, and generates the rest', async () => {
    const mock = await mockOf({
      contract: estate,
      seedRecords: 2,
      fixtures: fixturesOf({ owners: [{ id: 7, name: 'Ida' }] }),
    });
    expect(await list(mock, 'GET /owners')).toEqual([{ id: 7, name: 'Ida' }]);
    expect((await list(mock, 'GET /houses')).map(({ ownerId }) => ownerId)).toEqual([7, 7]);
  });
});

describe('the contract’s examples', () => {
  test('are the initial records of a session, each once', async () => {
    const shown = parseContract(
      `
openapi: 3.1.0
info: { title: Shown, version: '1' }
paths:
  /nuts:
    get: { operationId: listNuts, responses: { '200': { description: Nuts, content: {
        application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Nut' } },
        example: [{ id: a, size: 1 }, { id: b, size: 2 }, { size: 3 }] } } } } }
  /nuts/{nutId}:
    get:
      operationId: getNut
      parameters: [{ name: nutId, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A nut, content: { application/json: { schema: {
          $ref: '#/components/schemas/Nut' }, examples: { one: { value: { id: b, size: 2 } },
          two: { value: { id: c } }, broken: { value: { id: 5 } } } } } }, '404': {
          description: None } }
components: { schemas: { Nut: { type: object, required: [id], properties: { id: { type: string },
    size: { type: integer } } } } }
`,
      'shown.yaml',
    );
    expect(
      await converse(await mockOf({ contract: shown, seedRecords: 3 }), [
        ['GET /nuts'],
        ['GET /nuts/c'],
        ['GET /nuts/d'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /nuts → 200 [{"id":"a","size":1},{"id":"b","size":2},{"id":"c"}]
      GET /nuts/c → 200 {"id":"c"}
      GET /nuts/d → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"No record of nuts has the id \`d\`.","code":"not_found"}"
    `);
  });
});

test.each([
  ['integers', '{ type: integer }', [7, 9007199254740993n]],
  ['texts', '{ type: string }', ['seven', 'eight']],
])('examples are records where their identifiers are %s', async (_what, id, ids) => {
  const nuts = parseContract(
    `
openapi: 3.1.0
info: { title: Nuts, version: '1' }
paths: { /nuts: { get: { operationId: listNuts, responses: { '200': { description: Nuts,
    content: { application/json: { schema: { type: array, items: { type: object, required: [id],
    properties: { id: ${id} } } }, example: [{ id: ${String(ids[0])} }, {
    id: ${String(ids[1])} }] } } } } } } }
`,
    'nuts.yaml',
  );
  expect(jsonOf(await send(await mockOf({ contract: nuts, seedRecords: 2 }), 'GET /nuts'))).toEqual(
    ids.map((own) => ({ id: own })),
  );
});

test.each([
  ['an integer from its minimum on', '{ type: integer, minimum: 100 }', [100, 101]],
  [
    'an exact integer',
    '{ type: integer, minimum: 9007199254740993 }',
    [9007199254740993n, 9007199254740994n],
  ],
  [
    'a uuid',
    '{ type: string, format: uuid }',
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  ],
  ['a text of its pattern', "{ type: string, pattern: '^[A-Z]{3}-\\d{4}$' }", /^[A-Z]{3}-\d{4}$/],
  [
    'a text with the prefix of its example',
    '{ type: string, example: cus_9s6XKzkNRiZ8i3 }',
    /^cus_[0-9a-f]{12}$/,
  ],
])('a record that is made up is told apart by %s', async (_what, id, expected) => {
  const nuts = parseContract(
    `
openapi: 3.1.0
info: { title: Nuts, version: '1' }
paths: { /nuts: { get: { operationId: listNuts, responses: { '200': { description: Nuts,
    content: { application/json: { schema: { type: array, items: { type: object, required: [id],
    properties: { id: ${id}, size: { type: integer } } } } } } } } } } }
`,
    'nuts.yaml',
  );
  const ids = (
    jsonOf(
      await send(await mockOf({ contract: nuts, seedRecords: 2 }), 'GET /nuts'),
    ) as unknown as JsonObject[]
  ).map((nut) => nut['id']);
  expect(new Set(ids).size).toBe(2);
  if (Array.isArray(expected)) expect(ids).toEqual(expected);
  else for (const each of ids) expect(each).toMatch(expected);
});
