import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { bytes, converse, jsonOf, mockOf, send, show, textOf } from './workshop.ts';

describe('an operation without records', () => {
  test('echoes the request, generates identifiers and times, and keeps constants', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['POST /v2/repairs', { body: { toolId: 9007199254740993n, note: 'The edge is blunt.' } }],
        ['POST /v2/repairs', { body: { toolId: 3, unknown: true } }],
        ['POST /v2/repairs', { body: { note: 'x' } }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/repairs → 200 {"id":"made-1","toolId":9007199254740993,"note":"The edge is
        ↳ blunt.","state":"waiting","price":50,"createdAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/repairs → 200 {"id":"made-2","toolId":3,"note":"Moved to the second
        ↳ floor.","state":"waiting","price":245,"createdAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/repairs → 400 {"error":{"code":"VALIDATION","text":"The body must have the
        ↳ property toolId.","http_status":400,"errors":[{"field":"toolId","in":"body",
        ↳"message":"The body must have the property toolId."}]}}"
    `);
  });

  test('has an empty response if the contract leaves everything open', async () => {
    const answer = await send(await mockOf(), 'POST /v2/doors/7/lock');
    expect(answer).toMatchObject({ status: 200, headers: [], operation: 'lockDoor' });
    expect(answer.body).toHaveLength(0);
  });

  test('responds as assumed', async () => {
    const mock = await mockOf({
      assumptions: [
        {
          operation: 'lockDoor',
          status: 202,
          body: { locked: 9007199254740993n },
          because: 'the door says so',
        },
        { operation: 'orderRepair', status: 202, because: 'repairs take time' },
      ],
    });
    expect(
      await converse(mock, [
        ['POST /v2/doors/7/lock', {}, 'Content-Type'],
        ['POST /v2/repairs', { body: { toolId: 1 } }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/doors/7/lock → 202 application/json {"locked":9007199254740993}
      POST /v2/repairs → 202 {"id":"made-1","toolId":1,"note":"Please call before noon.",
        ↳"state":"waiting","price":87,"createdAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('has equal responses to equal requests, and others for another seed', async () => {
    const targets = ['/v2/reports', '/v2/reports?x=1'];
    const ask = async (seed: string): Promise<string[]> => {
      const mock = await mockOf({ seed, authentication: 'off' });
      return Promise.all(targets.map(async (target) => textOf(await send(mock, `GET ${target}`))));
    };
    expect(await ask('one')).toEqual(await ask('one'));
    expect(
      new Set(
        await Promise.all(
          ['one', 'two', 'three', 'four'].map(async (seed) => (await ask(seed)).join('')),
        ),
      ).size,
    ).toBeGreaterThan(1);
  });

  test('responds with 501 if the contract allows no response', async () => {
    expect(
      await converse(await mockOf(), [
        ['GET /v2/never', {}, 'Content-Type'],
        ['GET /v2/logo', {}, 'Content-Type'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/never → 501 application/json {"error":{"code":"OTHER","text":"The mock
        ↳ cannot create this response: no value was found that keeps
        ↳ #/paths/~1never/get/responses/200/content/application~1json/schema/minimum: its
        ↳ bounds leave no number. Give the contract an example here, or the mock an
        ↳ assumption.","http_status":501}}
      GET /v2/logo → 200 image/svg+xml <svg xmlns="http://www.w3.org/2000/svg" width="16"
        ↳ height="16" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#4a90e2"/></svg>
      "
    `);
  });

  test('uses the values of the path', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Nested, version: '1' }
paths:
  /trees/{treeId}/nuts/{nutId}:
    parameters:
      - { name: treeId, in: path, required: true, schema: { type: string } }
      - { name: nutId, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getNut
      parameters: [{ name: size, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: A nut
          content:
            application/json:
              schema: { type: object, required: [id, treeId], properties: { id: { type: integer },
                  treeId: { type: string }, size: { type: integer }, createdAt: { type: string,
                  format: date-time } } }
              example: { id: 1, treeId: oak, size: 2, createdAt: '2020-01-01T00:00:00Z' }
`,
      'nested.yaml',
    );
    expect(
      show(await send(await mockOf({ contract }), 'GET /trees/beech/nuts/9007199254740993?size=7')),
    ).toMatchInlineSnapshot(
      `
      "200 {"id":9007199254740993,"treeId":"beech","size":2,
        ↳"createdAt":"2020-01-01T00:00:00Z"}"
    `,
    );
  });

  test('accepts a body that it ignores', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Uploads, version: '1' }
paths:
  /photos:
    post: { operationId: upload, requestBody: { required: true, content: { image/png: {},
        multipart/form-data: { schema: { type: object, required: [file] } } } }, responses: {
        '204': { description: Taken } } }
  /notes:
    post: { operationId: note, requestBody: { content: { text/plain: { schema: { type: string,
        minLength: 3 } } } }, responses: { '200': { description: Taken, content: { text/plain: {
        schema: { type: string, const: taken } } } } } }
`,
      'uploads.yaml',
    );
    const mock = await mockOf({ contract });
    expect(
      await converse(mock, [
        ['POST /photos', { body: Uint8Array.of(0xff, 0), type: 'image/png' }],
        ['POST /photos', { body: Uint8Array.of(0xff, 0), type: 'multipart/form-data; boundary=x' }],
        ['POST /photos', { body: Uint8Array.of(0xff, 0), type: 'image/gif' }],
        ['POST /photos'],
        ['POST /notes', { body: bytes('long enough'), type: 'text/plain' }],
        ['POST /notes', { body: bytes('no'), type: 'text/plain' }],
        ['POST /notes', { body: Uint8Array.of(0xff), type: 'text/plain' }],
        ['POST /notes'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /photos → 204
      POST /photos → 400 {"type":"about:blank","title":"Bad Request","status":400,
        ↳"detail":"The multipart body cannot be read. It does not hold the boundary that its
        ↳ Content-Type names.","code":"invalid_body"}
      POST /photos → 415 {"type":"about:blank","title":"Unsupported Media Type",
        ↳"status":415,"detail":"The header Content-Type must be image/png or
        ↳ multipart/form-data, but is \`image/gif\`.","code":"unsupported_media_type"}
      POST /photos → 400 {"type":"about:blank","title":"Bad Request","status":400,
        ↳"detail":"The request has no body, and needs one as image/png or
        ↳ multipart/form-data.","code":"missing_body","errors":[{"in":"body","name":"",
        ↳"detail":"The body is required."}]}
      POST /notes → 200 taken
      POST /notes → 400 {"type":"about:blank","title":"Bad Request","status":400,
        ↳"detail":"The body must have 3 characters or more, but is \`no\`.",
        ↳"code":"invalid_value","errors":[{"in":"body","name":"","detail":"The body must have
        ↳ 3 characters or more, but is \`no\`."}]}
      POST /notes → 400 {"type":"about:blank","title":"Bad Request","status":400,
        ↳"detail":"The body is not UTF-8.","code":"invalid_body"}
      POST /notes → 200 taken"
    `);
  });
});

describe('the form of a response', () => {
  const key = { headers: [['Authorization', `Basic ${btoa('me:demo-key')}`]] } as const;
  const accepting = (accept: string) => ({
    headers: [...key.headers, ['Accept', accept]] as const,
  });

  test('is chosen by what the client accepts', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/reports', key, 'Content-Type'],
        ['GET /v2/reports', accepting('*/*'), 'Content-Type'],
        ['GET /v2/reports', accepting('text/csv'), 'Content-Type'],
        ['GET /v2/reports', accepting('text/*;q=0.5, application/json'), 'Content-Type'],
        ['GET /v2/reports', accepting('application/json;q=0.1, text/csv'), 'Content-Type'],
        ['GET /v2/reports', accepting('application/xml'), 'Content-Type'],
        ['GET /v2/reports', accepting('image/png'), 'Content-Type'],
        ['GET /v2/reports', accepting('image/png, */*;q=0.1'), 'Content-Type'],
        [
          'GET /v2/reports',
          { headers: [...key.headers, ['Accept', 'image/png'], ['Accept', 'text/csv']] },
          'Content-Type',
        ],
        ['POST /v2/doors/1/lock', { headers: [['Accept', 'image/png']] }, 'Content-Type'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /v2/reports → 200 application/json {"title":"An update on the second harvest",
        ↳"pages":2}
      GET /v2/reports → 200 application/json {"title":"An update on the second harvest",
        ↳"pages":2}
      GET /v2/reports → 200 text/csv; charset=utf-8 title,pages
      all,3

      GET /v2/reports → 200 application/json {"title":"An update on the second harvest",
        ↳"pages":2}
      GET /v2/reports → 200 text/csv; charset=utf-8 title,pages
      all,3

      GET /v2/reports → 200 application/xml <?xml version="1.0" encoding="UTF-8"?>
      <root><title>An update on the second harvest</title></root>
      GET /v2/reports → 406 application/json {"error":{"code":"OTHER","text":"The header
        ↳ Accept allows none of the media types of this response: application/xml,
        ↳ application/json, text/csv.","http_status":406}}
      GET /v2/reports → 200 application/json {"title":"An update on the second harvest",
        ↳"pages":2}
      GET /v2/reports → 200 text/csv; charset=utf-8 title,pages
      all,3

      POST /v2/doors/1/lock → 200"
    `);
  });

  test('has every header that the contract requires', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Headers, version: '1' }
paths:
  /old:
    get:
      operationId: getOld
      responses:
        '302':
          description: Elsewhere
          headers:
            Location: { required: true, schema: { type: string, format: uri },
                example: 'https://example.com/new' }
            X-List: { required: true, schema: { type: array, items: { type: integer },
                minItems: 2, maxItems: 2 }, example: [1, 2] }
            X-Word: { required: true, schema: { type: string, enum: [only] } }
            X-May: { schema: { type: string } }
`,
      'headers.yaml',
    );
    const answer = await send(await mockOf({ contract }), 'GET /old');
    expect([answer.status, ...answer.headers]).toMatchInlineSnapshot(`
      [
        302,
        [
          "Location",
          "https://example.com/new",
        ],
        [
          "X-List",
          "1,2",
        ],
        [
          "X-Word",
          "only",
        ],
      ]
    `);
  });

  test('is exact JSON if the client accepts bytes', async () => {
    expect(jsonOf(await send(await mockOf(), 'GET /v2/tools/9007199254740993'))).toMatchObject({
      id: 9007199254740993n,
    });
  });
});
