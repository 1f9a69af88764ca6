import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { Journal } from '../../../src/server/journal/journal.ts';
import { controlOf, type ControlClient } from './control-client.ts';

async function afterFour(): Promise<ControlClient> {
  const control = controlOf();
  await control.send('GET /v1/things?limit=1&key=secret-value', {
    'X-Operation': 'listThings',
    Authorization: 'Bearer secret-value',
  });
  await control.send(
    'POST /v1/things',
    { 'X-Operation': 'createThing', 'Vouch-Session': 'one' },
    { name: 'Rex', password: 'secret-value' },
  );
  await control.send('GET /nothing');
  await control.send(
    'POST /v1/things',
    { 'X-Operation': 'createThing', 'Content-Encoding': 'zstd' },
    { name: 'Max' },
  );
  return control;
}

describe('the journal', () => {
  test('says how many older exchanges it has dropped, and which a check has sent', async () => {
    const journal = new Journal({ entries: 2, body: 100, total: 100_000 });
    const { call, send } = controlOf(undefined, { journal });
    await send('GET /things');
    await send('GET /things');
    await send('GET /things', { 'Vouch-Run': 'vouch-1a2b3c' });
    expect((await call('GET /traffic')).body).toMatchObject({
      forgotten: 1,
      total: 2,
      exchanges: [{ run: null }, { run: 'vouch-1a2b3c' }],
    });
  });

  test('shows complete exchanges without secrets', async () => {
    const { call } = await afterFour();
    const { body } = await call('GET /journal');
    expect(JSON.stringify(body)).not.toContain('secret-value');
    const changing = ['at', 'durationMs', 'headers', 'response'];
    // The document of the control API has it so, and the client has checked that.
    const requests = JSON.stringify(
      (body as { exchanges: JsonValue }).exchanges,
      (key, value: unknown) => (changing.includes(key) ? undefined : value),
      1,
    );
    expect(requests).toMatchInlineSnapshot(`
      "[
       {
        "id": 1,
        "method": "GET",
        "target": "/v1/things?limit=1&key=[redacted]",
        "operation": "listThings",
        "session": "default",
        "status": 200,
        "fault": null,
        "callbacks": 0,
        "request": {
         "body": null,
         "bytes": 0,
         "truncated": false
        }
       },
       {
        "id": 2,
        "method": "POST",
        "target": "/v1/things",
        "operation": "createThing",
        "session": "one",
        "status": 200,
        "fault": null,
        "callbacks": 0,
        "request": {
         "body": {
          "text": "{\\"name\\":\\"Rex\\",\\"password\\":\\"[redacted]\\"}"
         },
         "bytes": 40,
         "truncated": false
        }
       },
       {
        "id": 3,
        "method": "GET",
        "target": "/nothing",
        "operation": null,
        "session": "default",
        "status": 200,
        "fault": null,
        "callbacks": 0,
        "request": {
         "body": null,
         "bytes": 0,
         "truncated": false
        }
       },
       {
        "id": 4,
        "method": "POST",
        "target": "/v1/things",
        "operation": null,
        "session": "default",
        "status": 415,
        "fault": null,
        "callbacks": 0,
        "request": {
         "body": null,
         "bytes": 0,
         "truncated": false
        }
       }
      ]"
    `);
  });

  test('shows header fields in order, and the response', async () => {
    const { call } = await afterFour();
    expect((await call('GET /journal?status=415')).body).toMatchObject({
      exchanges: [
        {
          request: {
            headers: expect.arrayContaining([
              ['X-Operation', 'createThing'],
              ['Content-Encoding', 'zstd'],
            ]),
          },
          response: {
            headers: [
              ['Content-Type', 'application/problem+json'],
              ['Accept-Encoding', 'gzip, deflate, br'],
            ],
            body: { text: expect.stringContaining('Content-Encoding') },
            truncated: false,
          },
        },
      ],
    });
  });

  test.each([
    ['', [1, 2, 3, 4]],
    ['?operation=createThing', [2]],
    ['?operation=removeThing', []],
    ['?session=one', [2]],
    ['?session=default', [1, 3, 4]],
    ['?method=post', [2, 4]],
    ['?status=200', [1, 2, 3]],
    ['?status=4xx', [4]],
    ['?since=2', [3, 4]],
    ['?since=2000-01-01T00:00:00Z', [1, 2, 3, 4]],
    ['?since=2999-01-01', []],
    ['?method=GET&limit=1', [3]],
  ])('with the filter %s shows %j', async (query, ids) => {
    const { body } = await (await afterFour()).call(`GET /journal${query}`);
    expect(idsOf(body)).toEqual(ids);
  });

  test.each([
    [
      '?operation=createThings',
      'The contract has no operation createThings. Did you mean createThing?',
    ],
    [
      '?method=FETCH',
      'The contract has no method FETCH. Choose one of: GET, PUT, POST, ' +
        'DELETE, OPTIONS, HEAD, PATCH, TRACE, QUERY.',
    ],
    ['?status=999x', 'status must be a status such as 404, or a class of them such as 4XX.'],
    [
      '?since=yesterday',
      'since must be the id of an exchange, or a moment such as 2030-12-06T08:00:00Z.',
    ],
    [
      '?session=a%20b',
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
    ['?limit=0', 'limit must be a whole number from 1.'],
    ['?status=200&status=404', 'The query parameter status is given twice. Give it once.'],
  ])('refuses the filter %s', async (query, detail) => {
    expect(await controlOf().call(`GET /journal${query}`)).toMatchObject({
      status: 400,
      body: { detail },
    });
  });

  test('is cleared by DELETE, for one session or for all', async () => {
    const { call } = await afterFour();
    expect((await call('DELETE /journal?session=one')).status).toBe(204);
    expect(idsOf((await call('GET /journal')).body)).toEqual([1, 3, 4]);
    expect((await call('DELETE /journal')).status).toBe(204);
    expect((await call('GET /journal')).body).toEqual({ count: 0, forgotten: 0, exchanges: [] });
  });

  test('keeps binary bytes, and truncates long bodies', async () => {
    const { call, app } = controlOf();
    const { default: request } = await import('supertest');
    await request(app)
      .post('/v1/things')
      .set('Content-Type', 'image/png')
      .send(Buffer.from([0x89, 0xff, 0x00]));
    await request(app)
      .post('/v1/things')
      .set('Content-Type', 'text/plain')
      .send(`${'x'.repeat(64 * 1024 - 1)}€€`);
    const { body } = await call('GET /journal');
    expect(body).toMatchObject({
      exchanges: [
        { request: { body: { base64: 'if8A' }, bytes: 3, truncated: false } },
        {
          request: {
            body: { text: 'x'.repeat(64 * 1024 - 1) },
            bytes: 64 * 1024 + 5,
            truncated: true,
          },
        },
      ],
    });
  });
});

describe('verify in the control API', () => {
  test('returns the number of matches', async () => {
    const { call } = await afterFour();
    expect(
      await call('POST /verify', { operation: 'createThing', body: { name: 'Rex' }, count: 1 }),
    ).toMatchObject({ status: 200, body: { verified: true, count: 1 } });
  });

  test('returns 409 with the nearest request and its difference', async () => {
    const { call } = await afterFour();
    const { status, body } = await call('POST /verify', {
      operation: 'createThing',
      body: { name: 'Max', password: 'other' },
      session: 'one',
    });
    expect(status).toBe(409);
    expect(JSON.stringify(body)).not.toContain('secret-value');
    expect(
      JSON.stringify(
        body,
        (key, value: unknown) => (['at', 'durationMs'].includes(key) ? undefined : value),
        1,
      ),
    ).toMatchInlineSnapshot(`
      "{
       "type": "about:blank",
       "title": "Conflict",
       "status": 409,
       "detail": "Expected at least 1 matching request, got 0 (4 recorded).",
       "verified": false,
       "count": 0,
       "forgotten": 0,
       "fitting": [],
       "nearMisses": [
        {
         "exchange": {
          "id": 2,
          "method": "POST",
          "target": "/v1/things",
          "operation": "createThing",
          "session": "one",
          "status": 200,
          "fault": null,
          "callbacks": 0
         },
         "failed": [
          {
           "condition": "body",
           "message": "body.name must be \\"Max\\", but is \\"Rex\\""
          },
          {
           "condition": "body",
           "message": "body.password is not as it must be (its value is a secret)"
          }
         ]
        },
        {
         "exchange": {
          "id": 4,
          "method": "POST",
          "target": "/v1/things",
          "operation": null,
          "session": "default",
          "status": 415,
          "fault": null,
          "callbacks": 0
         },
         "failed": [
          {
           "condition": "operation",
           "message": "operation must be createThing, but is none"
          },
          {
           "condition": "session",
           "message": "session must be one, but is default"
          },
          {
           "condition": "body",
           "message": "body is missing; it must be {\\"name\\":\\"Max\\",
        ↳\\"password\\":\\"other\\"}"
          }
         ]
        },
        {
         "exchange": {
          "id": 3,
          "method": "GET",
          "target": "/nothing",
          "operation": null,
          "session": "default",
          "status": 200,
          "fault": null,
          "callbacks": 0
         },
         "failed": [
          {
           "condition": "operation",
           "message": "operation must be createThing, but is none"
          },
          {
           "condition": "session",
           "message": "session must be one, but is default"
          },
          {
           "condition": "body",
           "message": "body is missing; it must be {\\"name\\":\\"Max\\",
        ↳\\"password\\":\\"other\\"}"
          }
         ]
        }
       ]
      }"
    `);
  });

  test('shows matching requests if there are too many', async () => {
    const { call } = await afterFour();
    const { body } = await call('POST /verify', { path: '/v1/things', count: 1 });
    expect(body).toMatchObject({
      verified: false,
      count: 3,
      fitting: [{ id: 1 }, { id: 2 }, { id: 4 }],
      nearMisses: [],
    });
  });

  test.each<[JsonValue, string]>([
    [
      { operaton: 'createThing' },
      'The body has the member operaton, which means nothing here. Did you mean operation?',
    ],
    [
      { operation: 'createThings' },
      'The contract has no operation createThings. Did you mean createThing?',
    ],
    [{ count: -1 }, 'count must be a whole number from 0.'],
    [
      { count: 1, atLeast: 1 },
      'count goes with neither atLeast nor atMost. Say how often exactly, or within which bounds.',
    ],
    [{ atLeast: 2, atMost: 1 }, 'No number is at least 2 and at most 1.'],
    [
      { path: 'things' },
      'path must begin with /. Write the whole path, with the base path: /v1/things/{id}.',
    ],
    [{ query: [] }, 'query must be an object.'],
    [{ headers: { A: {} } }, 'headers.A must be a text, or a list of texts.'],
    [{ status: 'ok' }, 'status must be a status such as 404, or a class of them such as 4XX.'],
    [
      { since: -1 },
      'since must be the id of an exchange, or a moment such as 2030-12-06T08:00:00Z.',
    ],
  ])('refuses %j', async (claim, detail) => {
    expect(await controlOf().call('POST /verify', claim)).toMatchObject({
      status: 400,
      body: { detail },
    });
  });
});

function idsOf(body: JsonValue | undefined): unknown {
  // The document of the control API has it so, and the client has checked that.
  return (body as { exchanges: { id: number }[] }).exchanges.map(({ id }) => id);
}
