import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { parseContract } from '../../src/contract/load.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import type { Store } from '../../src/store/store.ts';
import { converse, mockOf, send, show } from './workshop.ts';

/** A store that is filled and then fails. */
function brokenStore(): Store {
  const fail = (): Promise<never> =>
    Promise.reject(new Error('the disk is on fire, at /home/secret'));
  return {
    ...makeMemoryStore(),
    kind: 'broken',
    seed: () => Promise.resolve(),
    list: fail,
    query: fail,
    dump: fail,
    restore: fail,
    sessions: fail,
    get: fail,
    insert: fail,
    replace: fail,
    delete: fail,
    nextInteger: fail,
    reset: fail,
    close: fail,
  };
}

describe('an internal failure of the mock', () => {
  test('is a 500 without details, and the next request is served', async () => {
    const mock = await mockOf({ store: brokenStore() });
    expect(
      await converse(mock, [
        ['GET /v2/tools', {}, 'Content-Type'],
        ['HEAD /v2/tools', {}, 'Content-Length'],
        ['PATCH /v2/tools/1', { body: { name: 'x' } }],
        ['PATCH /v2/tools/1', { body: { name: 'x' } }],
        ['POST /v2/repairs', { body: { toolId: 1 } }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/tools → 500 application/problem+json {"type":"about:blank","title":"Internal
        ↳ Server Error","status":500,"detail":"vouch failed with an internal error; the
        ↳ request did not cause it.","code":"internal"}
      HEAD /v2/tools → 500 163
      PATCH /v2/tools/1 → 500 {"type":"about:blank","title":"Internal Server Error",
        ↳"status":500,"detail":"vouch failed with an internal error; the request did not
        ↳ cause it.","code":"internal"}
      PATCH /v2/tools/1 → 500 {"type":"about:blank","title":"Internal Server Error",
        ↳"status":500,"detail":"vouch failed with an internal error; the request did not
        ↳ cause it.","code":"internal"}
      POST /v2/repairs → 200 {"id":"made-1","toolId":1,"note":"Please call before noon.",
        ↳"state":"waiting","price":87,"createdAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('is passed to the server for its log', async () => {
    const mock = await mockOf({ store: brokenStore() });
    const target = {
      method: 'GET',
      headers: [['X-Key', 'demo-key']],
      body: new Uint8Array(0),
    } as const;
    expect((await mock.answer({ ...target, target: '/v2/tools' })).failure).toMatchObject({
      message: 'the disk is on fire, at /home/secret',
    });
    expect(await mock.answer({ ...target, target: '/v2/nothing' })).not.toHaveProperty('failure');
  });

  test('to reach its store is a 503 to retry (RFC 9110, section 15.6.4)', async () => {
    const lost = (): Promise<never> =>
      Promise.reject(
        new VouchError(
          'store-unavailable',
          'The store at redis://127.0.0.1:1 does not answer: it is gone.',
        ),
      );
    const mock = await mockOf({ store: { ...brokenStore(), query: lost, list: lost } });
    const answer = await send(mock, 'GET /v2/tools');
    expect(show(answer, 'Retry-After')).toBe(
      '503 1 {"type":"about:blank","title":"Service Unavailable","status":503,' +
        '"detail":"The store at redis://127.0.0.1:1 does not answer: it is ' +
        'gone.","code":"store_unavailable"}',
    );
    expect(answer).not.toHaveProperty('failure');
  });

  test.each([
    [
      'is full is a 409, with the way out',
      'store-full',
      '409 {"type":"about:blank","title":"Conflict","status":409,' +
        '"detail":"No more room. Delete some.","code":"store_full"}',
    ],
    [
      'cannot be used is a 500 like any other',
      'store-unusable',
      '500 {"type":"about:blank","title":"Internal Server Error","status":500,' +
        '"detail":"vouch failed with an internal error; the request did not cause it.",' +
        '"code":"internal"}',
    ],
  ] as const)('that its store %s', async (_name, code, expected) => {
    const fail = (): Promise<never> =>
      Promise.reject(new VouchError(code, 'No more room.', { hint: 'Delete some.' }));
    expect(
      show(
        await send(
          await mockOf({ store: { ...brokenStore(), query: fail, list: fail } }),
          'GET /v2/tools',
        ),
      ),
    ).toBe(expected);
  });

  test('is refused if there is no room for a record that a replacement adds', async () => {
    const mock = await mockOf({
      store: Object.assign(makeMemoryStore(), { insert: () => Promise.resolve('full' as const) }),
    });
    expect(
      await converse(mock, [['PUT /v2/tools/77', { body: { name: 'New', kind: 'saw' } }]]),
    ).toMatchInlineSnapshot(
      `
      "PUT /v2/tools/77 → 400 {"error":{"code":"VALIDATION","text":"The mock holds as many
        ↳ added records as it may, so this record of tools was not added. Delete records,
        ↳ reset the mock, or start it with a greater mock.maxRecords.","http_status":400}}"
    `,
    );
  });

  test('of the clock is a 500 too', async () => {
    const mock = await mockOf({
      clock: () => {
        throw new Error('no time');
      },
    });
    expect(await converse(mock, [['GET /v2/tools'], ['GET /v2/nothing']])).toMatchInlineSnapshot(`
      "GET /v2/tools → 500 {"type":"about:blank","title":"Internal Server Error",
        ↳"status":500,"detail":"vouch failed with an internal error; the request did not
        ↳ cause it.","code":"internal"}
      GET /v2/nothing → 500 {"type":"about:blank","title":"Internal Server Error",
        ↳"status":500,"detail":"vouch failed with an internal error; the request did not
        ↳ cause it.","code":"internal"}"
    `);
  });
});

test('an unusable schema is reported on use, and affects nothing else', async () => {
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Broken, version: '1' }
paths:
  /good: { get: { operationId: getGood, parameters: [{ name: n, in: query, schema: {
      type: integer } }], responses: { '200': { description: Fine }, '400': { description: Wrong,
      content: { application/json: { schema: { $ref: '#/components/schemas/Broken' } } } } } } }
  /bad: { get: { operationId: getBad, responses: { '200': { description: Fine, content: {
      application/json: { schema: { $ref: '#/components/schemas/Broken' } } } } } } }
components: { schemas: { Broken: { type: object, required: [code], properties: { code: {
    type: string, pattern: '(?!)' } } } } }
`,
    'broken.yaml',
  );
  expect(
    await converse(await mockOf({ contract }), [
      ['GET /good'],
      ['GET /good?n=x'],
      ['GET /bad'],
      ['GET /none'],
    ]),
  ).toMatchInlineSnapshot(`
    "GET /good → 200
    GET /good?n=x → 400 {"type":"about:blank","title":"Bad Request","status":400,
      ↳"detail":"\`n\` in the query must be an integer, but is \`x\`.",
      ↳"code":"invalid_value","errors":[{"in":"query","name":"n","detail":"\`n\` in the
      ↳ query must be an integer, but is \`x\`."}]}
    GET /bad → 501 {"type":"about:blank","title":"Not Implemented","status":501,
      ↳"detail":"The mock cannot create this response: no value was found that keeps
      ↳ #/components/schemas/Broken/properties/code/pattern: no text could be written that
      ↳ matches it and has the right length. Give the contract an example here, or the mock
      ↳ an assumption.","code":"not_implemented"}
    GET /none → 404 {"type":"about:blank","title":"Not Found","status":404,
      ↳"detail":"There is no path \`/none\`.","code":"not_found"}"
  `);
});
