import { describe, expect, test } from 'vitest';
import { headerValue } from '../../src/http/message.ts';
import { isJsonObject } from '../../src/json/value.ts';
import { summarise } from '../../src/server/journal/journal.ts';
import { makeContract } from '../contract/make-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const tool = { name: 'Plane', kind: 'saw', weight: 12 };

describe('a mock that generates every response', () => {
  const anew = { dynamic: { repeats: false } };

  test('shows other values for each request, and none of its records', async () => {
    const mock = await mockOf(anew);
    const [first, second] = [
      await send(mock, 'GET /v2/tools/1'),
      await send(mock, 'GET /v2/tools/1'),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(jsonOf(first)).not.toEqual(jsonOf(second));
    expect(jsonOf(first)).not.toMatchObject({ name: 'Rip' });
  });

  test('repeats itself for a seed of its own, and for that of the client', async () => {
    const repeating = await mockOf({ dynamic: { repeats: true } });
    const read = async (mock: typeof repeating, headers: [string, string][] = []) =>
      jsonOf(await send(mock, 'GET /v2/tools/1', { headers }));
    expect(await read(repeating)).toEqual(await read(repeating));
    const varying = await mockOf(anew);
    const seeded: [string, string][] = [['Prefer', 'seed=7']];
    expect(await read(varying, seeded)).toEqual(await read(varying, seeded));
  });

  test('answers for records that it does not have, and keeps and deletes none', async () => {
    const mock = await mockOf(anew);
    expect((await send(mock, 'GET /v2/tools/77')).status).toBe(200);
    expect((await send(mock, 'POST /v2/tools', { body: tool })).status).toBe(201);
    expect((await send(mock, 'DELETE /v2/tools/77')).status).toBe(204);
    expect((await send(mock, 'DELETE /v2/tools/1')).status).toBe(204);
    const stored = await send(mock, 'GET /v2/tools?limit=50', {
      headers: [['Prefer', 'dynamic=false']],
    });
    expect(jsonOf(stored)).toMatchObject({ total: 5 });
  });

  test('shows no example of the contract', async () => {
    const contract = makeContract({
      paths: {
        '/notes': {
          get: {
            operationId: 'readNote',
            responses: {
              200: {
                description: 'A note',
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'string', format: 'uuid' } },
                    },
                    example: { id: '11111111-1111-4111-8111-111111111111' },
                  },
                },
              },
            },
          },
        },
      },
    });
    const mock = await mockOf({ contract, ...anew });
    const answers = [await send(mock, 'GET /notes'), await send(mock, 'GET /notes')];
    const ids = answers.map(jsonOf).map((body) => isJsonObject(body) && body['id']);
    expect(ids).not.toContain('11111111-1111-4111-8111-111111111111');
    expect(new Set(ids).size).toBe(2);
  });

  test('still refuses what the contract does not allow', async () => {
    const mock = await mockOf(anew);
    expect((await send(mock, 'POST /v2/tools', { body: { name: 5 } })).status).toBe(422);
  });
});

describe('a mock that answers invalid requests too', () => {
  const wrong = { ...tool, weight: 'heavy' };

  test.each(['off', 'warn'] as const)('keeps what is valid in them (%s)', async (validate) => {
    const mock = await mockOf({ validate });
    const created = await send(mock, 'POST /v2/tools', { body: wrong });
    expect(created.status).toBe(201);
    const body = jsonOf(created);
    expect(body).toMatchObject({ name: 'Plane', kind: 'saw' });
    expect(body).not.toMatchObject({ weight: 'heavy' });
    expect((await send(mock, 'GET /v2/tools?limit=50')).status).toBe(200);
  });

  test('says what is wrong in a header and in the log only if it warns', async () => {
    const request = { body: wrong };
    const warned = await send(await mockOf({ validate: 'warn' }), 'POST /v2/tools', request);
    const sentence = headerValue(warned.headers, 'vouch-invalid-request');
    expect(sentence).toMatch(/^`weight` in the body must be one of an integer, null/);
    const { reason } = summarise({
      request: { method: 'POST', target: '/v2/tools', headers: [], body: new Uint8Array() },
      answer: warned,
      at: 0,
      durationMs: 1,
    });
    expect(reason).toBe(sentence);
    const silent = await send(await mockOf({ validate: 'off' }), 'POST /v2/tools', request);
    expect(headerValue(silent.headers, 'vouch-invalid-request')).toBeUndefined();
    expect(silent.violation).toBeUndefined();
  });

  test('says nothing of a valid request', async () => {
    const answer = await send(await mockOf({ validate: 'warn' }), 'POST /v2/tools', { body: tool });
    expect(headerValue(answer.headers, 'vouch-invalid-request')).toBeUndefined();
  });

  test.each([
    ['without a body', {}],
    ['with a body that is no JSON', { body: new TextEncoder().encode('{"name":') }],
    ['with a body of another type', { body: tool, type: 'text/plain' }],
    ['with a list instead of an object', { body: [1] }],
    ['with nothing that is valid', { body: { name: 1, kind: 2 } }],
  ])('answers a create %s with a success that conforms', async (_what, request) => {
    const mock = await mockOf({ validate: 'off' });
    expect((await send(mock, 'POST /v2/tools', request)).status).toBe(201);
    expect((await send(mock, 'GET /v2/tools?limit=50')).status).toBe(200);
  });

  test('leaves out parameters that are not valid', async () => {
    const mock = await mockOf({ validate: 'off' });
    const answer = await send(mock, 'GET /v2/tools?limit=many&kind=spoon');
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).not.toEqual([]);
  });

  test('changes a record by what is valid in the body', async () => {
    const mock = await mockOf({ validate: 'off' });
    const answer = await send(mock, 'PATCH /v2/tools/1', {
      body: { name: 'Ripper', weight: 'heavy' },
      type: 'application/merge-patch+json',
    });
    expect([answer.status, jsonOf(answer)]).toMatchObject([200, { name: 'Ripper', weight: 700 }]);
  });

  test('answers with a type of the contract if the client accepts none', async () => {
    const accept: [string, string][] = [['Accept', 'image/png']];
    const strict = await send(await mockOf(), 'GET /v2/tools/1', { headers: accept });
    expect(strict.status).toBe(406);
    const open = await send(await mockOf({ validate: 'off' }), 'GET /v2/tools/1', {
      headers: accept,
    });
    expect(open.status).toBe(200);
  });

  test('sends the status that the client prefers', async () => {
    const prefer: [string, string][] = [['Prefer', 'code=201']];
    const mock = await mockOf({ validate: 'off' });
    expect((await send(mock, 'POST /v2/tools', { body: {}, headers: prefer })).status).toBe(201);
  });

  test('still refuses credentials, unknown records and unknown paths', async () => {
    const mock = await mockOf({ validate: 'off' });
    const refused = [
      await send(mock, 'GET /v2/tools/1', { key: false }),
      await send(mock, 'GET /v2/tools/77'),
      await send(mock, 'GET /nothing'),
      await send(mock, 'PUT /v2/tools'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 404, 405]);
  });

  test('still tells a proxy what is wrong', async () => {
    const mock = await mockOf({ validate: 'off' });
    const found = await mock.inspect?.({
      method: 'POST',
      target: '/v2/tools',
      headers: [
        ['X-Key', 'demo-key'],
        ['Content-Type', 'application/json'],
      ],
      body: new TextEncoder().encode('{}'),
    });
    expect(found?.status).toBe(422);
  });
});
