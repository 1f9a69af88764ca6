import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { emptyBody } from '../../src/http/message.ts';
import { prepareMock } from '../../src/library/prepare-mock.ts';
import { converse, mockOf, send, show } from './workshop.ts';

describe('routing', () => {
  test('operations are under the base path of each of their servers', async () => {
    const mock = await mockOf();
    expect((await send(mock, 'GET /v2/tools/1')).operation).toBe('getTool');
    expect((await send(mock, 'GET /api/v2/tools/1')).operation).toBe('getTool');
  });

  test('an operation of a shared server is under each of them', async () => {
    const servers = '[{ url: https://a.example/v1 }, { url: https://a.example/beta }]';
    const contract = parseContract(
      `openapi: 3.0.3\ninfo: { title: T, version: '1' }\nservers: ${servers}\npaths:\n` +
        '  /pens:\n    get:\n      servers: [{ url: https://a.example/beta }]\n' +
        "      responses: { '204': { description: None } }\n" +
        '  /inks:\n    get:\n      servers: [{ url: https://b.example/own }]\n' +
        "      responses: { '204': { description: None } }\n",
      'api.yaml',
    );
    const { mock } = await prepareMock({ contract, config: false });
    const statusOf = async (target: string): Promise<number> =>
      (await mock.answer({ method: 'GET', target, headers: [], body: emptyBody })).status;
    expect(await statusOf('/beta/pens')).toBe(204);
    expect(await statusOf('/v1/pens')).toBe(204);
    expect(await statusOf('/own/inks')).toBe(204);
    expect(await statusOf('/v1/inks')).toBe(404);
  });

  test.each([
    ['https://{place}.test/{shop}/v1', ['/main/v1', '/other/v1'], ['/v1', '/a/b/v1', '/other/v2']],
    ['https://x.test/{edition}/{shop}', ['/e1/main', '/e2/other'], ['/e3/main', '/other/main']],
    ['/shops-{shop}', ['/shops-main', '/shops-other'], ['/shops-', '/other']],
    ['{site}/v1', ['/v1'], ['/here/v1', '/other/v1']],
  ])('a server variable without an enum takes any value: %s', async (url, right, wrong) => {
    const variables =
      '{ place: { default: here }, shop: { default: main }, site: { default: https://a.test }, ' +
      'edition: { default: e1, enum: [e1, e2] } }';
    const contract = parseContract(
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nservers:\n  - url: '${url}'\n` +
        `    variables: ${variables}\npaths:\n  /pens/{shop}:\n    get:\n` +
        '      parameters:\n' +
        '        - { name: shop, in: path, required: true, schema: { type: integer } }\n' +
        "      responses: { '204': { description: None } }\n",
      'api.yaml',
    );
    const { mock } = await prepareMock({ contract, config: false });
    const statuses = async (bases: readonly string[]): Promise<number[]> =>
      Promise.all(
        bases.map(async (base) => {
          const request = { method: 'GET', headers: [], body: emptyBody };
          return (await mock.answer({ ...request, target: `${base}/pens/5` })).status;
        }),
      );
    expect(await statuses(right)).toEqual(right.map(() => 204));
    expect(await statuses(wrong)).toEqual(wrong.map(() => 404));
  });

  test('an escape equals its character, and an escaped slash stays in its value', async () => {
    const mock = await mockOf();
    expect((await send(mock, 'GET /v2/t%6Fols/%31')).status).toBe(200);
    expect(show(await send(mock, 'POST /v2/doors/a%2Fb/lock'))).toBe('200');
    expect((await send(mock, 'POST /v2/doors/a/b/lock')).status).toBe(404);
  });

  test('an unknown path gets a hint', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /tools'],
        ['GET /tools/17'],
        ['GET /v2/tools/'],
        ['GET /V2/Tools'],
        ['GET /v2/toolz'],
        ['GET /v3/tools/5'],
        ['GET /v2/shelves/A/B/C'],
        ['GET /'],
        ['GET //v2/tools'],
        ['GET /v2/tools/1/'],
        [`GET /v2/${'x'.repeat(300)}`],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /tools → 404 {"error":{"code":"NOT_FOUND","text":"There is no path \`/tools\`.
        ↳ Did you mean \`/v2/tools\`? /v2 is missing.","http_status":404}}
      GET /tools/17 → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/tools/17\`. Did you mean \`/v2/tools/17\`? /v2 is missing.","http_status":404}}
      GET /v2/tools/ → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/tools/\`. Did you mean \`/v2/tools\`? The slash at the end is too many.",
        ↳"http_status":404}}
      GET /V2/Tools → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/V2/Tools\`. Did you mean \`/v2/tools\`? Case counts.","http_status":404}}
      GET /v2/toolz → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/toolz\`. Did you mean \`/v2/tools\`?","http_status":404}}
      GET /v3/tools/5 → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v3/tools/5\`. Did you mean \`/v2/tools/5\`?","http_status":404}}
      GET /v2/shelves/A/B/C → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/shelves/A/B/C\`.","http_status":404}}
      GET / → 404 {"error":{"code":"NOT_FOUND","text":"There is no path \`/\`.",
        ↳"http_status":404}}
      GET //v2/tools → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`//v2/tools\`. Did you mean \`/v2/tools\`?","http_status":404}}
      GET /v2/tools/1/ → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/tools/1/\`. Did you mean \`/v2/tools/1\`? The slash at the end is too many.",
        ↳"http_status":404}}
      GET /v2/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        ↳xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        ↳xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        ↳xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx → 404
        ↳ {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        ↳xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`.","http_status":404}}"
    `);
  });

  test('a parameter value does not count as similarity to a path', async () => {
    const answer = { responses: { '200': { description: 'All of it' } } };
    const below = {
      parameters: [{ name: 'listId', in: 'path', required: true, schema: { type: 'string' } }],
      get: answer,
    };
    const lists = parseContract(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Lists', version: '1' },
        paths: { '/lists': { get: answer }, '/lists/{listId}': below },
      }),
      'lists.json',
    );
    const mock = await mockOf({ contract: lists });
    expect(await converse(mock, [['GET /list'], ['GET /lits/7']])).toMatchInlineSnapshot(`
      "GET /list → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"There is no path \`/list\`. Did you mean \`/lists\`?","code":"not_found"}
      GET /lits/7 → 404 {"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"There is no path \`/lits/7\`. Did you mean \`/lists/7\`?",
        ↳"code":"not_found"}"
    `);
  });

  test('an unreadable target is refused in the error format of its operation', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['GET /v2/tools/%zz'],
        ['GET /v2/tools/%ff'],
        ['GET /v2/shelves/%ff'],
        ['DELETE /v2/shelves/%ff'],
        ['GET /v2/tools?limit=%zz'],
        ['GET /v2/tools?x=%C3%28'],
        ['GET tools'],
        ['GET '],
        ['GET /v2/tools#top'],
        ['GET /v2/tööls'],
        ['GET /v2/\u202Etools'],
      ]),
    ).toMatchInlineSnapshot(`
        "GET /v2/tools/%zz → 404 {"error":{"code":"NOT_FOUND","text":"The path holds \`%zz\`,
          ↳ which is not a valid percent-escape (write % as %25).","http_status":404}}
        GET /v2/tools/%ff → 404 {"error":{"code":"NOT_FOUND","text":"The path holds
          ↳ percent-escapes that are not UTF-8.","http_status":404}}
        GET /v2/shelves/%ff → 400 {"error":{"code":"VALIDATION","text":"The path holds
          ↳ percent-escapes that are not UTF-8.","http_status":400}}
        DELETE /v2/shelves/%ff → 400 {"error":{"code":"VALIDATION","text":"The path holds
          ↳ percent-escapes that are not UTF-8.","http_status":400}}
        GET /v2/tools?limit=%zz → 400 {"error":{"code":"VALIDATION","text":"The query holds
          ↳ \`%zz\`, which is not a valid percent-escape (write % as %25).","http_status":400}}
        GET /v2/tools?x=%C3%28 → 400 {"error":{"code":"VALIDATION","text":"The query holds
          ↳ percent-escapes that are not UTF-8.","http_status":400}}
        GET tools → 400 {"error":{"code":"VALIDATION","text":"The path must begin with
          ↳ \`/\`, but is \`tools\`.","http_status":400}}
        GET  → 400 {"error":{"code":"VALIDATION","text":"The path must begin with \`/\`, but
          ↳ is \`\`.","http_status":400}}
        GET /v2/tools#top → 400 {"error":{"code":"VALIDATION","text":"The path holds \`#\`:
          ↳ a fragment is not sent (write a plain # as %23).","http_status":400}}
        GET /v2/tööls → 400 {"error":{"code":"VALIDATION","text":"The path holds the
          ↳ character U+00F6, which must be percent-encoded.","http_status":400}}
        GET /v2/‮tools → 400 {"error":{"code":"VALIDATION","text":"The path holds the
          ↳ character U+202E, which must be percent-encoded.","http_status":400}}"
      `);
    expect((await send(mock, 'GET /v2/tools?limit=%zz')).operation).toBe('listTools');
  });

  test('a path without the method lists its methods', async () => {
    const mock = await mockOf();
    expect(
      await converse(mock, [
        ['DELETE /v2/tools', {}, 'Allow'],
        ['POST /v2/tools/1', {}, 'Allow'],
        ['BREW /v2/tools', {}, 'Allow'],
        ['HEAD /v2/doors/1/lock', {}, 'Allow'],
        ['get /v2/tools', {}, 'Allow'],
        ['OPTIONS /v2/tools', { key: false }, 'Allow'],
        ['OPTIONS /v2/doors/1/lock', { key: false }, 'Allow'],
        ['OPTIONS /v2/nothing', { key: false }, 'Allow'],
        ['BREW /v2/nothing', {}, 'Allow'],
      ]),
    ).toMatchInlineSnapshot(`
      "DELETE /v2/tools → 405 GET, POST, HEAD, OPTIONS {"error":{"code":"OTHER",
        ↳"text":"This path has no DELETE. It has: GET, POST, HEAD, OPTIONS.",
        ↳"http_status":405}}
      POST /v2/tools/1 → 405 GET, PUT, DELETE, PATCH, HEAD, OPTIONS
        ↳ {"error":{"code":"OTHER","text":"This path has no POST. It has: GET, PUT, DELETE,
        ↳ PATCH, HEAD, OPTIONS.","http_status":405}}
      BREW /v2/tools → 405 GET, POST, HEAD, OPTIONS {"error":{"code":"OTHER","text":"This
        ↳ path has no BREW. It has: GET, POST, HEAD, OPTIONS.","http_status":405}}
      HEAD /v2/doors/1/lock → 405 POST, OPTIONS
      get /v2/tools → 405 GET, POST, HEAD, OPTIONS {"error":{"code":"OTHER","text":"This
        ↳ path has no get. It has: GET, POST, HEAD, OPTIONS.","http_status":405}}
      OPTIONS /v2/tools → 204 GET, POST, HEAD, OPTIONS
      OPTIONS /v2/doors/1/lock → 204 POST, OPTIONS
      OPTIONS /v2/nothing → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/nothing\`.","http_status":404}}
      BREW /v2/nothing → 404 {"error":{"code":"NOT_FOUND","text":"There is no path
        ↳ \`/v2/nothing\`.","http_status":404}}"
    `);
  });

  test('HEAD is GET without the body', async () => {
    const mock = await mockOf();
    for (const target of [
      '/v2/tools',
      '/v2/tools/1',
      '/v2/tools/77',
      '/v2/tools?limit=0',
      '/v2/nothing',
    ]) {
      const [get, head] = await Promise.all([
        send(mock, `GET ${target}`),
        send(mock, `HEAD ${target}`),
      ]);
      expect(head.status).toBe(get.status);
      expect(head.body).toHaveLength(0);
      const named = head.headers.filter(
        ([name]) => name !== 'X-Request-Id' && name !== 'Content-Length',
      );
      expect(named).toEqual(get.headers.filter(([name]) => name !== 'X-Request-Id'));
      expect(head.headers).toContainEqual(['Content-Length', String(get.body.length)]);
    }
  });

  test('any method that the contract declares is handled by the contract', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Probe, version: '1' }
paths:
  /probe:
    options: { operationId: askProbe, responses: { '200': { description: Yes, content: {
        application/json: { schema: { type: string, const: 'asked' } } } } } }
    head: { operationId: touchProbe, responses: { '204': { description: Touched } } }
    trace: { operationId: traceProbe, responses: { '200': { description: Traced, content: {
        text/plain: { schema: { type: string, const: traced } } } } } }
`,
      'probe.yaml',
    );
    const mock = await mockOf({ contract });
    expect(
      await converse(mock, [
        ['OPTIONS /probe'],
        ['HEAD /probe'],
        ['TRACE /probe'],
        ['GET /probe', {}, 'Allow', 'Content-Type'],
      ]),
    ).toMatchInlineSnapshot(`
      "OPTIONS /probe → 200 "asked"
      HEAD /probe → 204
      TRACE /probe → 200 traced
      GET /probe → 405 OPTIONS, HEAD, TRACE application/problem+json
        ↳ {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"This path
        ↳ has no GET. It has: OPTIONS, HEAD, TRACE.","code":"method_not_allowed"}"
    `);
  });
});
