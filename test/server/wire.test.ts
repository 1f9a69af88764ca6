import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Echo } from './fake-mock.ts';
import { connectRaw, exchangeRaw, statusOfGet } from './raw-client.ts';
import { serveFake, type Served } from './serve-fake.ts';
import { bodyLimit, chunked, encoded, get, host, post, rows } from './wire-rows.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFake(undefined, { bodyLimit });
});
afterAll(async () => {
  await served.listening.close();
});

describe('raw requests', () => {
  test.each(rows)('$name', async ({ bytes, status, closes }) => {
    const { client, response } = await exchangeRaw(served.port, bytes);
    expect(response.status).toMatch(status);
    expect(/^connection: close$/im.test(response.head)).toBe(closes);
    if (closes) {
      await client.closed;
    } else {
      client.send(get('/again'));
      expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
      client.socket.destroy();
    }
    expect(await statusOfGet(served.port)).toBe('HTTP/1.1 200 OK');
  });
});

describe('the request passed to the mock', () => {
  const echoOf = async (bytes: string | Uint8Array): Promise<Echo> => {
    const { client, response } = await exchangeRaw(served.port, bytes);
    client.socket.destroy();
    // The fake mock writes this shape.
    return JSON.parse(response.body.toString('utf8')) as Echo;
  };

  test.each([
    ['/things/%zz?a=%', '/things/%zz?a=%'],
    ['/th%69ngs/a%2Fb/../c//d', '/th%69ngs/a%2Fb/../c//d'],
    ['/things?a=b&a=c&__proto__=d', '/things?a=b&a=c&__proto__=d'],
    ['//evil.test/things', '//evil.test/things'],
    ['http://localhost:80/things?a=%zz', '/things?a=%zz'],
    ['HTTP://localhost', '/'],
    ['http://localhost?a', '/?a'],
    ['/__vouchers', '/__vouchers'],
  ])('the target %s as %s', async (target, seen) => {
    expect((await echoOf(get(target))).target).toBe(seen);
  });

  test('header fields in order, in their case, duplicates kept', async () => {
    const { headers } = await echoOf(
      get('/', 'x-b: 1\r\nX-A: 2\r\nX-B: 3\r\ncookie: a\r\nCookie: b\r\nX-C: \xe9\r\n'),
    );
    expect(headers).toEqual([
      ['Host', 'localhost'],
      ['x-b', '1'],
      ['X-A', '2'],
      ['X-B', '3'],
      ['cookie', 'a'],
      ['Cookie', 'b'],
      ['X-C', '\xe9'],
    ]);
  });

  test.each([
    ['by length', post('Content-Length: 3\r\n', 'a\0\xff'), 'a\0\xff'],
    ['in chunks', post(chunked, '1\r\na\r\n2\r\nbc\r\n0\r\n\r\n'), 'abc'],
    ['of a GET', get('/', 'Content-Length: 1\r\n') + 'a', 'a'],
    ['gzip', encoded('x-gzip', gzipSync('a body')), 'a body'],
    ['deflate', encoded('deflate', deflateSync('a body')), 'a body'],
    ['deflate without its wrapper', encoded('deflate', deflateRawSync('a body')), 'a body'],
    ['br', encoded('BR', brotliCompressSync('a body')), 'a body'],
  ])('the bytes of a body %s', async (_name, bytes, body) => {
    expect((await echoOf(bytes)).body).toBe(body);
  });

  test('nothing of a refused request', async () => {
    const before = served.mock.requests.length;
    const smuggled = await connectRaw(served.port);
    smuggled.send(post(`Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${get('/smuggled')}`));
    await smuggled.closed;
    const refused = await connectRaw(served.port);
    refused.send(get('/things', 'Host: other\r\n') + get('/behind'));
    await refused.closed;
    expect(served.mock.requests.slice(before)).toEqual([]);
  });
});

describe('the text of a refusal', () => {
  const refusal = async (bytes: string): Promise<string> => {
    const { client, response } = await exchangeRaw(served.port, bytes);
    client.socket.destroy();
    return `${response.head}\r\n\r\n${response.body.toString()}`
      .replace(/Date: .*/, 'Date: …')
      .replaceAll('\r\n', '\n');
  };

  test('of the guard', async () => {
    expect(await refusal(post('Content-Encoding: zstd\r\nContent-Length: 1\r\n', 'a')))
      .toMatchInlineSnapshot(`
        "HTTP/1.1 415 Unsupported Media Type
        Content-Type: application/problem+json
        Accept-Encoding: gzip, deflate, br
        Content-Length: 159
        Connection: close
        Date: …

        {"type":"about:blank","title":"Unsupported Media Type","status":415,"detail":"The
          ↳ Content-Encoding is not understood. Send one of gzip, deflate, br, or none."}"
      `);
  });

  test('of the parser', async () => {
    expect(await refusal(get('/things', 'X-A: b\r\n c\r\n'))).toMatchInlineSnapshot(`
      "HTTP/1.1 400 Bad Request
      Content-Type: application/problem+json
      Date: …
      Content-Length: 151
      Connection: close

      {"type":"about:blank","title":"Bad Request","status":400,"detail":"This is no
        ↳ well-formed HTTP/1.1 request: Unexpected whitespace after header value."}"
    `);
  });

  test('of CONNECT', async () => {
    expect(await refusal(`CONNECT example.test:443 HTTP/1.1\r\n${host}\r\n`))
      .toMatchInlineSnapshot(`
        "HTTP/1.1 405 Method Not Allowed
        Content-Type: application/problem+json
        Allow: GET, PUT, POST, DELETE, OPTIONS, HEAD, PATCH, TRACE, QUERY
        Date: …
        Content-Length: 100
        Connection: close

        {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"This
          ↳ server is no proxy."}"
      `);
  });

  test('and OPTIONS *, which is not refused', async () => {
    expect(await refusal(`OPTIONS * HTTP/1.1\r\n${host}\r\n`)).toMatchInlineSnapshot(`
      "HTTP/1.1 204 No Content
      Allow: GET, PUT, POST, DELETE, OPTIONS, HEAD, PATCH, TRACE, QUERY
      Date: …
      Connection: keep-alive
      Keep-Alive: timeout=5

      "
    `);
  });
});
