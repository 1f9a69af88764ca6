import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { converse, keepingBytes, listening, proxied, proxyBefore } from './workshop.ts';

const inner = 'GET /v1/things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n';
const hex = inner.length.toString(16);
const chunk = `${hex}\r\n${inner}\r\n0\r\n\r\n`;
const post = 'POST /v1/other HTTP/1.1\r\nHost: x\r\n';
const chunked = `${post}Transfer-Encoding: chunked\r\n`;
const length = `Content-Length: ${String(inner.length)}`;

/** Requests that end elsewhere, or say something else, for another reader. */
const ambiguous: Readonly<Record<string, string>> = {
  'a length and chunks': `${chunked}Content-Length: ${String(hex.length + 2)}\r\n\r\n${chunk}`,
  'HTTP/1.0 with chunks': `${chunked.replace('1.1', '1.0')}\r\n${chunk}`,
  'a blank before the colon': `${post}Content-Length : 44\r\n\r\n${inner}`,
  'a NUL in a name': `${post}Content-Length\0: 44\r\n\r\n${inner}`,
  'a NUL in a value': `${post}X-A: a\0b\r\n\r\n`,
  'another control character in a value': `${post}X-A: a\x01b\r\n\r\n`,
  'a CR in a value': `${post}X-A: a\rContent-Length: 44\r\n\r\n${inner}`,
  'a line that ends in LF alone': `${post}X-A: a\nX-B: b\r\n\r\n`,
  'a header that ends in LF alone': `GET /v1/things HTTP/1.1\nHost: x\n\n`,
  'a folded line': `${post}X-A: a\r\n ${length}\r\n\r\n${inner}`,
  'a first line that is folded': `GET /v1/things HTTP/1.1\r\n X: a\r\nHost: x\r\n\r\n`,
  'a line without a colon': `${post}${length.replace(':', '')}\r\n\r\n${inner}`,
  'a field without a name': `${post}: a\r\n\r\n`,
  'two lengths': `${post}Content-Length: 0\r\n${length}\r\n\r\n${inner}`,
  'the same length twice': `${post}${length}\r\n${length}\r\n\r\n${inner}`,
  'a list of lengths': `${post}Content-Length: 0, 44\r\n\r\n${inner}`,
  'a length with a sign': `${post}Content-Length: +44\r\n\r\n${inner}`,
  'a length in hexadecimal': `${post}Content-Length: 0x2c\r\n\r\n${inner}`,
  'an empty length': `${post}Content-Length:\r\n\r\n${inner}`,
  'a length beyond 2^53': `${post}Content-Length: 99999999999999999999\r\n\r\n${inner}`,
  'a coding after chunked': `${post}Transfer-Encoding: chunked, identity\r\n\r\n${chunk}`,
  'chunked twice': `${post}Transfer-Encoding: chunked, chunked\r\n\r\n${chunk}`,
  'chunked in two fields': `${chunked}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
  'a coding that only looks like chunked': `${post}Transfer-Encoding: xchunked\r\n\r\n${chunk}`,
  'an empty coding': `${post}Transfer-Encoding:\r\n\r\n${chunk}`,
  'a quoted coding': `${post}Transfer-Encoding: "chunked"\r\n\r\n${chunk}`,
  'a coding after a vertical tab': `${post}Transfer-Encoding: \x0bchunked\r\n\r\n${chunk}`,
  'a chunk size with a sign': `${chunked}\r\n+${chunk}`,
  'a chunk size with 0x': `${chunked}\r\n0x${chunk}`,
  'a chunk size with a blank': `${chunked}\r\n${hex} \r\n${inner}\r\n0\r\n\r\n`,
  'a chunk size beyond 2^64': `${chunked}\r\n1000000000000000${hex}\r\n${inner}\r\n0\r\n\r\n`,
  'an empty chunk size': `${chunked}\r\n\r\n${inner}`,
  'a chunk that ends in LF alone': `${chunked}\r\n${hex}\r\n${inner}\n0\r\n\r\n`,
  'a chunk size that ends in LF alone': `${chunked}\r\n${hex}\n${inner}\r\n0\r\n\r\n`,
  'a chunk that is longer than its size': `${chunked}\r\n1\r\n${inner}\r\n0\r\n\r\n`,
  'a NUL in a chunk extension': `${chunked}\r\n${hex};a=\0\r\n${inner}\r\n0\r\n\r\n`,
  'a CR in a chunk extension': `${chunked}\r\n${hex};a=\r0\r\n${inner}\r\n0\r\n\r\n`,
  'a trailer that is no field': `${chunked}\r\n0\r\n${inner}`,
  'no host': 'GET /v1/things HTTP/1.1\r\n\r\n',
  'two hosts': `GET /v1/things HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
  'a host that is none': 'GET /v1/things HTTP/1.1\r\nHost: x/y\r\n\r\n',
  'two blanks in the request line': 'GET  /v1/things HTTP/1.1\r\nHost: x\r\n\r\n',
  'a tab in the request line': 'GET /v1/things\tHTTP/1.1\r\nHost: x\r\n\r\n',
  'a blank in the target': 'GET /v1/things ?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'a NUL in the target': 'GET /v1/things\0 HTTP/1.1\r\nHost: x\r\n\r\n',
};

/** Requests that are clear as HTTP, and that the contract cannot judge. */
const unjudgeable: Readonly<Record<string, readonly [status: number, request: string]>> = {
  'an absolute target': [400, 'GET http://x/v1/things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'an authority': [400, 'GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'the target *': [400, 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a fragment': [400, 'GET /v1/things#a HTTP/1.1\r\nHost: x\r\n\r\n'],
  'an escape that is none': [400, 'GET /v1/things/%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
  'bytes that are not ASCII in the target': [400, 'GET /v1/\xe9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a tunnel': [501, 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'another protocol': [
    501,
    'GET /v1/things HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  'a method in small letters': [501, 'get /v1/things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a coding of the transfer besides chunked': [
    501,
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  'an unknown coding of the content': [415, `${post}Content-Encoding: x-a\r\n\r\n`],
  'an unknown expectation': [417, `${post}Expect: tea\r\n\r\n`],
  'a body larger than vouch reads': [413, `${post}Content-Length: 99999999\r\n\r\n`],
  'two content types': [400, `${post}Content-Type: a/b\r\nContent-Type: c/d\r\n\r\n`],
  'HTTP/0.9': [400, 'GET /v1/things?limit=0\r\n\r\n'],
  'the preface of HTTP/2': [400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'another spelling in capitals': [400, 'GET /V1/Things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a slash at the end': [400, 'GET /v1/things/?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'two slashes': [400, 'GET /v1//things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'dot segments': [400, 'GET /v1/a/../things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'coded dot segments': [400, 'GET /a/%2e%2e/v1/things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'an escape of an escape': [400, 'GET /v1/thing%2573?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a parameter of a segment': [400, 'GET /v1/things;a=b?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'a backslash': [400, 'GET /v1\\things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'the ending of a format': [400, 'GET /v1/things.json?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  'HEAD in place of GET, in capitals': [400, 'HEAD /V1/things?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n'],
};

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

describe('a request that two readers may understand differently', () => {
  test.each(Object.entries(ambiguous))(
    '%s: 400 with --enforce, a closed connection, and no byte for the service',
    async (_name, sent) => {
      const service = await keepingBytes();
      const { url } = await proxyBefore(service.port, { enforce: true });
      const got = await converse(url, sent + inner);
      expect(got).toMatch(/^HTTP\/1\.1 400 .*Connection: close/s);
      expect(got.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
      expect(service.received()).toBe('');
    },
  );

  test('is refused without --enforce too, where its header shows it', async () => {
    const service = await keepingBytes();
    const { url, notes, proxy } = await proxyBefore(service.port);
    const got = await converse(url, `GET /v1/a HTTP/1.1\r\nHost: x\r\n\r\n${post}A : b\r\n\r\n`);
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(service.received()).toBe('GET /v1/a HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(notes.join()).toContain('a request was turned away');
    expect(proxy.report().summary.reason).toContain('1 exchange turned away.');
  });

  test('--pass-unjudged does not pass it either', async () => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true, passUnjudged: true });
    for (const sent of Object.values(ambiguous).slice(0, 5))
      expect(await converse(url, sent)).toMatch(/^HTTP\/1\.1 400 /);
    expect(service.received()).toBe('');
  });
});

describe('a request that cannot be judged, with --enforce', () => {
  test.each(Object.entries(unjudgeable))('%s: refused', async (_name, [status, sent]) => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true });
    const got = await converse(url, sent, /\r\n\r\n(?:\{.*\})?$/s);
    expect(got).toContain(`HTTP/1.1 ${String(status)} `);
    expect(got).toContain('Vouch-Proxy: refusal');
    expect(service.received()).toBe('');
  });

  test('passes as it is with --pass-unjudged', async () => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true, passUnjudged: true });
    const [, sent] = unjudgeable['an absolute target'] ?? [];
    await converse(url, sent ?? '', /\[\]$/);
    expect(service.received()).toBe(sent);
  });

  test('a chunked body that grows too large is refused, or passes with the flag', async () => {
    const big = 9 * 1024 * 1024;
    const sent = `${chunked}\r\n${big.toString(16)}\r\n${'a'.repeat(big)}\r\n0\r\n\r\n`;
    const service = await keepingBytes('');
    const strict = await proxyBefore(service.port, { enforce: true });
    expect(await converse(strict.url, sent, /\}$/)).toMatch(/^HTTP\/1\.1 413 .*--pass-unjudged/s);
    expect(service.received()).toBe('');
    const loose = await proxyBefore(service.port, { enforce: true, passUnjudged: true });
    void converse(loose.url, sent);
    await expect.poll(() => service.received().length, { timeout: 5_000 }).toBe(sent.length);
  });

  test('nothing follows a response that is broken', async () => {
    const service = await keepingBytes('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n');
    const { url } = await proxyBefore(service.port, { enforce: true });
    const first = 'GET /v1/things HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await converse(url, first + inner)).toContain('Content-Length: x');
    expect(service.received()).toBe(first);
  });

  test('fields that steer the mock do not change the judgement', async () => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true });
    for (const field of ['Prefer: code=200', 'Prefer: code=999', 'Vouch-Session: a b']) {
      const sent = `GET /v1/things?limit=0 HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`;
      expect(await converse(url, sent, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(service.received()).toBe('');
  });

  test('HEAD is judged as GET', async () => {
    const service = await keepingBytes('HTTP/1.1 200 OK\r\n\r\n');
    const { url } = await proxyBefore(service.port, { enforce: true });
    const head = (limit: number): string =>
      `HEAD /v1/things?limit=${String(limit)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await converse(url, head(0), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s);
    expect(await converse(url, head(1), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
    expect(service.received()).toBe(head(1));
  });

  test.each<readonly [string, string, string | Uint8Array<ArrayBuffer>]>([
    ['a member twice', 'application/json', '{"name":"","name":"a"}'],
    ['no media type', '', '{"name":""}'],
    ['another media type', 'text/plain', '{"name":""}'],
    ['another charset', 'application/json; charset=utf-16le', utf16('{"name":""}')],
    ['a byte order mark', 'application/json', '\ufeff{"name":""}'],
    ['a comment', 'application/json', '{"name":/*a*/""}'],
    ['a comma at the end', 'application/json', '{"name":"",}'],
    ['two values', 'application/json', '{"name":"a"}{"name":""}'],
    ['bytes that are not UTF-8', 'application/json', Uint8Array.from([0x22, 0xff, 0x22])],
    ['nothing', 'application/json', ''],
    ['very many levels', 'application/json', '['.repeat(100_000)],
  ])('a body with %s is refused', async (_name, type, body) => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true });
    const answer = await fetch(`${url}/things`, {
      method: 'POST',
      headers: type === '' ? {} : { 'content-type': type },
      body: type === '' ? new TextEncoder().encode(String(body)) : body,
    });
    expect(answer.headers.get('vouch-proxy')).toBe('refusal');
    expect(service.received()).toBe('');
  });

  test('a parameter that is given twice is refused', async () => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true });
    const answer = await fetch(`${url}/things?limit=1&limit=0`);
    expect(answer.status).toBe(400);
    expect(service.received()).toBe('');
  });

  test('a body in a content coding is judged without it', async () => {
    const reached: string[] = [];
    const { url } = await proxied(
      (incoming, response) => {
        reached.push(incoming.headers['content-encoding'] ?? '');
        response.writeHead(201).end();
      },
      { enforce: true },
    );
    const send = (body: Uint8Array<ArrayBuffer>): Promise<Response> =>
      fetch(`${url}/things`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body,
      });
    expect((await send(new Uint8Array(gzipSync('{"name":"a"}')))).status).toBe(201);
    expect((await send(new Uint8Array(gzipSync('{"name":""}')))).status).toBe(400);
    expect((await send(new Uint8Array(Buffer.from('{"name":"a"}')))).status).toBe(400);
    expect(reached).toEqual(['gzip']);
  });
});

describe('what was judged is what is sent', () => {
  test('in canonical form: one length, one host, no fields of the connection', async () => {
    const service = await keepingBytes('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
    const { url } = await proxyBefore(service.port, { enforce: true });
    const body = '{"name":"a"}';
    const sent =
      'POST /v1/things HTTP/1.1\r\nhOST:   x\r\nX-Secret: 1\r\nConnection: X-Secret, TE\r\n' +
      'Content-Type:application/json\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\n\r\n' +
      `c;a="b"\r\n${body}\r\n0\r\nX-T: 1\r\n\r\n`;
    expect(await converse(url, sent, /\r\n\r\n$/)).toMatch(/^HTTP\/1\.1 201 /);
    expect(service.received()).toBe(
      'POST /v1/things HTTP/1.1\r\nhOST: x\r\nContent-Type: application/json\r\n' +
        `Content-Length: 12\r\n\r\n${body}`,
    );
  });

  test('without a field that Connection takes away, the request is judged so', async () => {
    const service = await keepingBytes();
    const { url } = await proxyBefore(service.port, { enforce: true });
    const sent =
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      'Connection: content-type\r\nContent-Length: 12\r\n\r\n{"name":"a"}';
    expect(await converse(url, sent, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(service.received()).toBe('');
  });

  test('100 (Continue) comes from the proxy, and the body then', async () => {
    const port = await listening(
      createServer((incoming, response) => {
        expect(incoming.headers.expect).toBeUndefined();
        incoming.resume().on('end', () => response.writeHead(201).end());
      }),
    );
    const { url } = await proxyBefore(port, { enforce: true });
    const sent =
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n' +
      'Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}';
    const got = await converse(url, sent, / 201 /);
    expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});
