import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadFixtures, loadScenarios } from '../../src/config/read-data.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import type { JsonArray, JsonObject } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import type { Scenario } from '../../src/mock/scenarios/scenario.ts';
import type { Fixtures } from '../../src/store/store.ts';
import { expectKept } from './keeps-contract.ts';
import { bytes, jsonOf, mockOf, send, show, type Sending } from './workshop.ts';

const root = resolve(import.meta.dirname, '../..');
let contract: Contract;
let fixtures: Fixtures;
let scenarios: Scenario[];

beforeAll(async () => {
  contract = await loadContract(resolve(root, 'openapi/petstore.v1.yaml'));
  fixtures = await loadFixtures(resolve(root, 'fixtures'), contract);
  scenarios = await loadScenarios(resolve(root, 'scenarios'));
});

function petstore(): Promise<Mock> {
  const assumptions = [
    { operation: 'sendMessage', status: 202, because: 'a queued message is not yet processed' },
  ];
  return mockOf({ contract, fixtures, scenarios, assumptions });
}

const bearer = ['Authorization', 'Bearer demo-key'] as const;

/** With the key that the mock knows. */
function known(more: Sending = {}): Sending {
  return { ...more, key: false, headers: [bearer, ...(more.headers ?? [])] };
}

function prefer(value: string, more: Sending = {}): Sending {
  return known({ ...more, headers: [['Prefer', value]] });
}

/** Sends each, holds each against the contract, and shows a line for each. */
async function converse(
  mock: Mock,
  requests: readonly (readonly [line: string, sending: Sending, ...headers: string[]])[],
): Promise<string> {
  const lines: string[] = [];
  for (const [line, sending, ...names] of requests) {
    const answer = await send(mock, line, sending);
    expectKept(contract, answer);
    lines.push(`${line} → ${show(answer, ...names)}`);
  }
  return lines.join('\n');
}

describe('the bundled contract', () => {
  test('lists, filters and limits', async () => {
    expect(
      await converse(await petstore(), [
        ['GET /v1/pets?limit=2', known()],
        ['GET /v1/pets?limit=2&status=pending', known()],
        ['GET /v1/pets?limit=1&status=', known()],
        ['GET /v1/pets?limit=0', known()],
        ['GET /v1/pets?limit=101&status=gone', known()],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v1/pets?limit=2 → 200 [{"id":1,"name":"Biscuit","categoryId":1,
        ↳"status":"available"},{"id":2,"name":"Rex","categoryId":1,"status":"sold"}]
      GET /v1/pets?limit=2&status=pending → 200 [{"id":3,"name":"Björn","categoryId":1,
        ↳"status":"pending"},{"id":5,"name":"Čipka","categoryId":1,"status":"pending"}]
      GET /v1/pets?limit=1&status= → 400 {"code":"invalid_value","message":"\`status\` in
        ↳ the query must be one of available, pending, sold, but is empty.","status":400}
      GET /v1/pets?limit=0 → 400 {"code":"invalid_value","message":"\`limit\` in the query
        ↳ must be 1 or more, but is \`0\`.","status":400}
      GET /v1/pets?limit=101&status=gone → 400 {"code":"invalid_value",
        ↳"message":"\`limit\` in the query must be 100 or less, but is \`101\`. \`status\` in
        ↳ the query must be one of available, pending, sold, but is \`gone\`.","status":400}"
    `);
  });

  test('lists twenty by default, and at most a hundred', async () => {
    const mock = await petstore();
    const count = async (query: string): Promise<number> =>
      (jsonOf(await send(mock, `GET /v1/pets${query}`, known())) as JsonArray).length;
    expect([await count(''), await count('?limit=100'), await count('?limit=7')]).toEqual([
      20, 72, 7,
    ]);
    const sold = jsonOf(
      await send(mock, 'GET /v1/pets?status=sold&limit=100', known()),
    ) as JsonObject[];
    expect(sold.length).toBeGreaterThan(0);
    expect(sold.every(({ status }) => status === 'sold')).toBe(true);
  });

  test('adds and reads records exactly', async () => {
    expect(
      await converse(await petstore(), [
        [
          'POST /v1/pets',
          known({ body: { name: 'Zoë', categoryId: 9007199254740993n } }),
          'Location',
        ],
        ['GET /v1/pets/73', known(), 'Sunset', 'Link'],
        [
          'POST /v1/pets',
          known({ body: { name: 'Rex', categoryId: 1, status: 'sold', id: 5, nickname: 'R' } }),
          'Location',
        ],
        ['POST /v1/pets', known({ body: { categoryId: 1 } })],
        ['POST /v1/pets', known({ body: { name: 'x', categoryId: '1', status: 'gone' } })],
        ['POST /v1/pets', known({ body: { name: 'x', categoryId: 9223372036854775808n } })],
        ['POST /v1/pets', known({ body: bytes('{"name":') })],
        ['POST /v1/pets', known({ body: bytes('') })],
        ['POST /v1/pets', known({ body: { name: 'x', categoryId: 1 }, type: false })],
        ['GET /v1/pets/4711', known()],
        ['GET /v1/pets/abc', known()],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v1/pets → 201 /v1/pets/73 {"id":73,"name":"Zoë","categoryId":9007199254740993}
      GET /v1/pets/73 → 200 Thu, 05 Dec 2030 00:00:00 GMT </v1/pets>;
        ↳ rel="successor-version" {"id":73,"name":"Zoë","categoryId":9007199254740993}
      POST /v1/pets → 201 /v1/pets/74 {"id":74,"name":"Rex","categoryId":1,
        ↳"status":"sold","nickname":"R"}
      POST /v1/pets → 400 {"code":"missing_field","message":"The body must have the
        ↳ property name.","status":400}
      POST /v1/pets → 400 {"code":"invalid_value","message":"\`categoryId\` in the body
        ↳ must be an integer, but is a string. \`status\` in the body must be one of
        ↳ available, pending, sold, but is \`gone\`.","status":400}
      POST /v1/pets → 400 {"code":"invalid_value","message":"\`categoryId\` in the body
        ↳ must have the format int64, but is \`9223372036854775808\`.","status":400}
      POST /v1/pets → 400 {"code":"invalid_json","message":"The body is not valid JSON:
        ↳ expected a value after the colon, found the end of the text, at line 1, column 9.",
        ↳"status":400}
      POST /v1/pets → 400 {"code":"missing_body","message":"The request has no body, and
        ↳ needs one as application/json.","status":400}
      POST /v1/pets → 400 {"code":"unsupported_media_type","message":"The header
        ↳ Content-Type is missing. Send application/json.","status":400}
      GET /v1/pets/4711 → 404 {"code":"not_found","message":"No record of pets has the id
        ↳ \`4711\`.","status":404}
      GET /v1/pets/abc → 404 {"code":"invalid_value","message":"\`petId\` in the path must
        ↳ be an integer, but is \`abc\`.","status":404}"
    `);
  });

  test('requires the key', async () => {
    expect(
      await converse(await petstore(), [
        ['GET /v1/pets', { key: false }, 'WWW-Authenticate'],
        [
          'GET /v1/pets',
          { key: false, headers: [['authorization', 'bearer wrong']] },
          'WWW-Authenticate',
        ],
        ['POST /messages', { key: false, body: { message: 'x' } }, 'WWW-Authenticate'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v1/pets → 401 Bearer realm="Pet Store Service Interface"
        ↳ {"code":"unauthorized","message":"The header Authorization is missing. Send
        ↳ Authorization: Bearer KEY. This mock's key is demo-key.","status":401}
      GET /v1/pets → 401 Bearer realm="Pet Store Service Interface", error="invalid_token"
        ↳ {"code":"invalid_token","message":"The bearer token is not known here. Send a key
        ↳ that is valid. This mock's key is demo-key.","status":401}
      POST /messages → 401 Bearer realm="Pet Store Service Interface"
        ↳ {"code":"unauthorized","message":"The header Authorization is missing. Send
        ↳ Authorization: Bearer KEY. This mock's key is demo-key.","status":401}"
    `);
  });

  test('accepts messages', async () => {
    expect(
      await converse(await petstore(), [
        ['POST /messages', known({ body: { message: 'Hello' } })],
        ['POST /messages', known({ body: {} })],
        ['POST /messages', known({ body: { message: 'Hello' }, type: false })],
        ['POST /v1/messages', known({ body: { message: 'Hello' } })],
        ['GET /v1/store/orders', known()],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /messages → 202 {"id":"made-1","message":"Hello","status":"queued",
        ↳"createdAt":"2030-01-02T03:04:05.000Z"}
      POST /messages → 400 {"code":"missing_field","message":"The body must have the
        ↳ property message.","status":400}
      POST /messages → 400 {"code":"unsupported_media_type","message":"The header
        ↳ Content-Type is missing. Send application/json.","status":400}
      POST /v1/messages → 404 {"code":"not_found","message":"There is no path
        ↳ \`/v1/messages\`. Did you mean \`/messages\`?","status":404}
      GET /v1/store/orders → 200"
    `);
  });

  test('plays its scenarios', async () => {
    const mock = await petstore();
    expect(
      await converse(mock, [
        ['GET /v1/pets/1', prefer('scenario=after-removal')],
        ['GET /v1/pets', prefer('scenario=expired-key'), 'WWW-Authenticate'],
        ['GET /v1/pets?limit=1', prefer('scenario=list-fails-twice'), 'Retry-After'],
        ['GET /v1/pets?limit=1', prefer('scenario=list-fails-twice'), 'Retry-After'],
        ['GET /v1/pets?limit=1', prefer('scenario=list-fails-twice'), 'Retry-After'],
        ['POST /messages', prefer('scenario=message-queue', { body: { message: 'x' } })],
        ['POST /v1/pets', prefer('scenario=missing-field', { body: { name: 'x', categoryId: 1 } })],
        ['GET /v1/pets/1', prefer('scenario=missing-pet')],
        ['GET /v1/pets/1', prefer('scenario=missing-pets')],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v1/pets/1 → 410 {"code":"gone","message":"getPet was removed on 2030-12-05. Use
        ↳ listPets instead.","status":410}
      GET /v1/pets → 401 Bearer realm="Pet Store", error="invalid_token",
        ↳ error_description="The API key has expired" {"code":"expired_key","message":"The
        ↳ API key has expired.","status":401}
      GET /v1/pets?limit=1 → 503 1 {"code":"unavailable","message":"The service is not
        ↳ available. Try again in a second.","status":503}
      GET /v1/pets?limit=1 → 503 1 {"code":"unavailable","message":"The service is not
        ↳ available. Try again in a second.","status":503}
      GET /v1/pets?limit=1 → 200 [{"id":1,"name":"Biscuit","categoryId":1,
        ↳"status":"available"}]
      POST /messages → 202 {"id":"msg_0001","message":"x","status":"queued",
        ↳"createdAt":"2030-06-01T09:30:00Z"}
      POST /v1/pets → 400 {"code":"missing_field","message":"The field categoryId is
        ↳ required.","status":400}
      GET /v1/pets/1 → 404 {"code":"not_found","message":"The requested resource could not
        ↳ be found.","status":404}
      GET /v1/pets/1 → 400 {"code":"invalid_preference","message":"There is no scenario
        ↳ \`missing-pets\`. Did you mean missing-pet? There are: after-removal,
        ↳ connection-reset, empty-store, expired-key, flaky-network, list-fails-twice,
        ↳ message-queue, missing-field, missing-pet, rate-limit, slow-list, slow-network,
        ↳ truncated-list.","status":400}"
    `);
    expect((await send(mock, 'GET /v1/pets', prefer('scenario=slow-list'))).delayMs).toBe(2000);
  });

  test('applies preferences', async () => {
    expect(
      await converse(await petstore(), [
        ['GET /v1/pets', prefer('code=401')],
        ['GET /v1/pets', prefer('code=404')],
        ['GET /v1/pets', prefer('example=none')],
        ['GET /v1/pets/1', prefer('example=notFound')],
        ['GET /v1/pets/1', prefer('example=notFond')],
        ['POST /v1/pets', prefer('code=400', { body: { name: 'x', categoryId: 1 } })],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v1/pets → 401 {"code":"unauthorized","message":"An API key is required.",
        ↳"status":401}
      GET /v1/pets → 400 {"code":"invalid_preference","message":"Prefer requests the
        ↳ status 404, which listPets does not document. It documents 200, 401.","status":400}
      GET /v1/pets → 200 []
      GET /v1/pets/1 → 404 {"code":"not_found","message":"No animal has the identifier
        ↳ 4711.","status":404}
      GET /v1/pets/1 → 400 {"code":"invalid_preference","message":"Prefer requests the
        ↳ example \`notFond\`, which getPet does not have. Did you mean notFound? There are:
        ↳ animal, missingKey, invalidKey, notFound.","status":400}
      POST /v1/pets → 400 {"code":"missing_field","message":"The field categoryId is
        ↳ required.","status":400}"
    `);
  });

  test('generates conforming values', async () => {
    const mock = await petstore();
    for (let seed = 0; seed < 50; seed += 1) {
      for (const line of ['GET /v1/pets', 'GET /v1/pets/1', 'GET /v1/store/orders']) {
        const answer = await send(mock, line, prefer(`dynamic=true, seed=${String(seed)}`));
        expect(answer.status).toBe(200);
        expectKept(contract, answer);
      }
    }
  });
});
