import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** The body limit of the server that the rows are written for, in bytes. */
export const bodyLimit = 1024;
export const host = 'Host: localhost\r\n';

/**
 * Bytes on the wire, the status line that answers them, and whether the connection closes after it.
 */
export interface Row {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly status: RegExp;
  readonly closes: boolean;
}

export const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`;
export const post = (headers: string, body = ''): string =>
  `POST /things HTTP/1.1\r\n${host}${headers}\r\n${body}`;
export const chunked = 'Transfer-Encoding: chunked\r\n';
export const encoded = (coding: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(post(`Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n`)),
    body,
  ]);
const json = (text: string): string =>
  post(
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text, 'latin1')}\r\n`,
    text,
  );

const closing = (name: string, status: number, bytes: string | Uint8Array): Row => ({
  name,
  bytes,
  status: new RegExp(`^HTTP/1\\.1 ${status} `),
  closes: true,
});
const keeping = (name: string, status: number, bytes: string | Uint8Array): Row => ({
  ...closing(name, status, bytes),
  closes: false,
});

/**
 * What the server layer decides, row for row; then what the mock decides, which must only reach it.
 */
export const rows: readonly Row[] = [
  closing(
    'unknown Content-Encoding',
    415,
    post('Content-Encoding: zstd\r\nContent-Length: 1\r\n', 'a'),
  ),
  closing(
    'a chain of codings',
    415,
    post('Content-Encoding: gzip, gzip\r\nContent-Length: 1\r\n', 'a'),
  ),
  closing('gzip bomb', 413, encoded('gzip', gzipSync(Buffer.alloc(500_000)))),
  closing('brotli bomb', 413, encoded('br', brotliCompressSync(Buffer.alloc(50_000_000)))),
  closing('deflate bomb', 413, encoded('deflate', deflateSync(Buffer.alloc(500_000)))),
  closing('body that is not gzip', 400, encoded('gzip', Buffer.from('plain'))),
  closing('gzip cut short', 400, encoded('gzip', gzipSync('a body').subarray(0, 12))),
  keeping('gzip', 200, encoded('gzip', gzipSync('a body'))),
  keeping('deflate without its wrapper', 200, encoded('deflate', deflateRawSync('a body'))),
  keeping('identity', 200, encoded('identity', Buffer.from('a body'))),
  keeping('Content-Encoding without a body', 200, get('/things', 'Content-Encoding: gzip\r\n')),

  keeping(
    'body as long as allowed',
    200,
    post(`Content-Length: ${bodyLimit}\r\n`, 'a'.repeat(bodyLimit)),
  ),
  closing(
    'body one byte longer',
    413,
    post(`Content-Length: ${bodyLimit + 1}\r\n`, 'a'.repeat(bodyLimit + 1)),
  ),
  closing('long body that is only announced', 413, post('Content-Length: 999999999\r\n')),
  closing(
    'long body in chunks, without an end',
    413,
    post(chunked, `800\r\n${'a'.repeat(0x800)}\r\n`),
  ),

  keeping('target as long as allowed', 200, get(`/${'a'.repeat(7_999)}`)),
  closing('target one byte longer', 414, get(`/${'a'.repeat(8_000)}`)),
  closing('target beyond the parser', 414, get(`/${'a'.repeat(60_000)}`)),
  keeping(
    'header block of 16 KiB',
    200,
    get('/things', `X-A: ${'a'.repeat(16_384 - host.length - 'X-A: \r\n'.length)}\r\n`),
  ),
  closing(
    'header block one byte longer',
    431,
    get('/things', `X-A: ${'a'.repeat(16_385 - host.length - 'X-A: \r\n'.length)}\r\n`),
  ),
  closing('header block beyond the parser', 431, get('/things', `X-A: ${'a'.repeat(60_000)}\r\n`)),
  keeping(
    'long target and long headers',
    200,
    get(`/${'a'.repeat(7_900)}`, `X-A: ${'a'.repeat(16_200)}\r\n`),
  ),
  keeping('100 headers', 200, get('/things', 'X-A: b\r\n'.repeat(99))),
  closing('101 headers', 431, get('/things', 'X-A: b\r\n'.repeat(100))),
  closing('5,000 headers', 431, get('/things', 'a:b\r\n'.repeat(5_000))),

  closing(
    'two Authorization',
    400,
    get('/things', 'Authorization: Bearer a\r\nauthorization: Bearer b\r\n'),
  ),
  closing(
    'two Content-Type',
    400,
    post(
      'Content-Type: text/plain\r\nContent-Type: application/json\r\nContent-Length: 1\r\n',
      'a',
    ),
  ),
  closing('two Host', 400, get('/things', 'Host: other\r\n')),
  closing('no Host', 400, 'GET / HTTP/1.1\r\n\r\n'),
  closing('empty Host', 400, 'GET / HTTP/1.1\r\nHost:\r\n\r\n'),
  closing('Host with a path', 400, 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'),
  closing('Host with a user', 400, 'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n'),
  closing('Host with a space', 400, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'),
  closing('Host with a wrong port', 400, 'GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n'),
  closing('Host with a broken address', 400, 'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n'),
  keeping('Host with an address', 200, 'GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n'),

  closing('HTTP/0.9', 400, 'GET /\r\n\r\n'),
  closing('HTTP/1.0 without a Host', 200, 'GET / HTTP/1.0\r\n\r\n'),
  closing('HTTP/1.2', 400, `GET / HTTP/1.2\r\n${host}\r\n`),
  closing('HTTP/2.0', 400, `GET / HTTP/2.0\r\n${host}\r\n`),
  closing('HTTP/2 preface', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  closing(
    'Transfer-Encoding with HTTP/1.0',
    400,
    `POST / HTTP/1.0\r\n${host}${chunked}\r\n0\r\n\r\n`,
  ),
  closing('unknown transfer coding', 501, post('Transfer-Encoding: shrunk\r\n', '0\r\n\r\n')),
  closing('identity as a transfer coding', 501, post('Transfer-Encoding: identity\r\n')),
  closing(
    'unknown transfer coding before chunked',
    501,
    post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'),
  ),
  closing(
    'transfer coding after chunked',
    400,
    post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'),
  ),
  closing('chunked twice', 400, post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n')),
  closing('two Transfer-Encoding', 400, post(chunked + chunked, '0\r\n\r\n')),
  closing('empty Transfer-Encoding', 400, post('Transfer-Encoding: \r\n', '0\r\n\r\n')),
  closing(
    'Transfer-Encoding behind a vertical tab',
    400,
    post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'),
  ),
  closing(
    'Content-Length, then Transfer-Encoding',
    400,
    post(`Content-Length: 5\r\n${chunked}`, '0\r\n\r\n'),
  ),
  closing(
    'Transfer-Encoding, then Content-Length',
    400,
    post(`${chunked}Content-Length: 5\r\n`, '0\r\n\r\n'),
  ),
  closing('two Content-Length', 400, post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab')),
  closing('list in Content-Length', 400, post('Content-Length: 1, 1\r\n', 'a')),
  closing('negative Content-Length', 400, post('Content-Length: -1\r\n', 'a')),
  closing('Content-Length with a sign', 400, post('Content-Length: +1\r\n', 'a')),
  closing(
    'Content-Length beyond any integer',
    400,
    post(`Content-Length: ${'9'.repeat(30)}\r\n`, 'a'),
  ),
  closing('obs-fold with a space', 400, get('/things', 'X-A: b\r\n c\r\n')),
  closing('obs-fold with a tab', 400, get('/things', 'X-A: b\r\n\tc\r\n')),
  closing('space before the first header', 400, `GET / HTTP/1.1\r\n ${host}\r\n`),
  closing('space before a colon', 400, 'GET / HTTP/1.1\r\nHost : localhost\r\n\r\n'),
  closing('bare LF after the request line', 400, 'GET / HTTP/1.1\nHost: localhost\r\n\r\n'),
  closing('bare LF after a header', 400, 'GET / HTTP/1.1\r\nHost: localhost\nX-A: b\r\n\r\n'),
  closing('bare LF at the end', 400, 'GET / HTTP/1.1\r\nHost: localhost\r\n\n'),
  closing('bare CR in a header', 400, get('/things', 'X-A: b\rX-C: d\r\n')),
  closing('NUL in a header', 400, get('/things', 'X-A: b\0c\r\n')),
  closing('header without a colon', 400, get('/things', 'X-A\r\n')),
  closing('header without a name', 400, get('/things', ': a\r\n')),
  keeping('empty lines before the request', 200, `\r\n\r\n${get('/things')}`),
  closing('bare LF after a chunk size', 400, post(chunked, '1\na\r\n0\r\n\r\n')),
  closing('bare LF after a chunk', 400, post(chunked, '1\r\na\n0\r\n\r\n')),
  closing('chunk size that is no number', 400, post(chunked, 'zz\r\n\r\n')),
  closing(
    'chunk size beyond any integer',
    400,
    post(chunked, `${'f'.repeat(20)}\r\na\r\n0\r\n\r\n`),
  ),
  closing('chunk extension without end', 413, post(chunked, `1;${'a'.repeat(40_000)}`)),
  keeping(
    'chunks, an extension, a trailer',
    200,
    post(chunked, '1;a=b\r\na\r\n0\r\nHost: evil\r\n\r\n'),
  ),
  closing(
    'TLS on a port without',
    400,
    Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc),
  ),
  closing('random bytes', 400, Buffer.concat([Buffer.from([0]), randomBytes(4_000)])),

  closing('CONNECT', 405, `CONNECT example.test:443 HTTP/1.1\r\n${host}\r\n`),
  closing('unknown method', 501, `FETCH / HTTP/1.1\r\n${host}\r\n`),
  closing('method that only starts as one', 501, `GETS / HTTP/1.1\r\n${host}\r\n`),
  closing('method in lower case', 501, `get / HTTP/1.1\r\n${host}\r\n`),
  closing(
    'method that Node knows and no contract can have',
    501,
    `PROPFIND / HTTP/1.1\r\n${host}\r\n`,
  ),
  closing('method of another protocol', 400, `DESCRIBE / RTSP/1.0\r\n${host}\r\n`),
  ...['GET', 'POST', 'OPTIONS'].map((method) =>
    closing(`${method} of RTSP/1.0`, 400, `${method} / RTSP/1.0\r\n${host}\r\n`),
  ),
  closing('RTSP/1.1', 400, `GET /things RTSP/1.1\r\n${host}\r\n`),
  closing('RTSP after two spaces', 400, `GET /  RTSP/1.0\r\n${host}\r\n`),
  closing('RTSP with a body', 400, `POST / RTSP/1.1\r\n${host}Content-Length: 1\r\n\r\na`),
  closing('RTSP on a path of the control API', 400, `GET /__vouch/ RTSP/1.1\r\n${host}\r\n`),
  closing('RTSP behind an empty line', 400, `\r\nGET / RTSP/1.0\r\n${host}\r\n`),
  ...['HTTPX/1.1', 'http/1.1', 'SIP/2.0', 'ICE/1.0', 'HTTP/3.0', 'HTTP/11.1', 'HTTPS/1.1'].map(
    (protocol) => closing(`GET of ${protocol}`, 400, `GET / ${protocol}\r\n${host}\r\n`),
  ),
  closing('SOURCE of ICE/1.0', 400, `SOURCE / ICE/1.0\r\n${host}\r\n`),
  keeping('RTSP in a target and a header', 200, get('/RTSP/1.0', 'X-A: GET / RTSP/1.0\r\n')),
  keeping('RTSP in a body', 200, post('Content-Length: 25\r\n', '\r\nPOST /things RTSP/1.0\r\n')),
  keeping('OPTIONS *', 204, `OPTIONS * HTTP/1.1\r\n${host}\r\n`),
  closing('GET *', 400, get('*')),
  closing('target without a slash', 400, get('things')),
  closing('target with a fragment', 400, get('/things#part')),
  closing('target with a space', 400, get('/thi ngs')),
  closing('target with a raw byte', 400, get('/\xfc')),
  keeping('absolute target', 200, get('http://localhost/things?a=b')),
  closing('absolute target that no URL parser reads', 400, get('http://[/things')),
  closing('absolute target with a wrong port', 400, get('http://a:99999/things')),

  closing('unknown expectation', 417, post('Expect: miracles\r\nContent-Length: 1\r\n', 'a')),
  closing(
    '100-continue among others',
    417,
    post('Expect: 100-continue, miracles\r\nContent-Length: 1\r\n', 'a'),
  ),
  keeping('HEAD', 200, `HEAD /things HTTP/1.1\r\n${host}\r\n`),
  closing('HEAD that is refused', 400, 'HEAD / HTTP/1.1\r\n\r\n'),
  keeping(
    'Upgrade to HTTP/2',
    200,
    get(
      '/things',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n',
    ),
  ),
  keeping(
    'Upgrade to a WebSocket',
    200,
    get('/things', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  ),

  ...[
    ['malformed JSON', json('{')],
    ['NaN', json('{"a":NaN}')],
    ['a number beyond a double', json('1e400')],
    ['empty body', json('')],
    ['scalar body', json('5')],
    ['BOM', json('\xef\xbb\xbf{}')],
    ['invalid UTF-8', json('"\xff"')],
    ['duplicate keys', json('{"a":1,"a":2}')],
    ['integer beyond 2^53', json('{"a":9007199254740993}')],
    ['__proto__', json('{"__proto__":{}}')],
    ['deep nesting', json('['.repeat(1_000))],
    ['no Content-Type', post('Content-Length: 2\r\n', '{}')],
    ['known path with another method', `PATCH /things HTTP/1.1\r\n${host}\r\n`],
    ['TRACE', `TRACE /things HTTP/1.1\r\n${host}\r\n`],
    ['QUERY', `QUERY /things HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
    ['OPTIONS of a path', `OPTIONS /things HTTP/1.1\r\n${host}\r\n`],
    ['trailing slash', get('/things/')],
    ['upper case', get('/THINGS')],
    ['escaped letter', get('/th%69ngs')],
    ['escaped slash', get('/things/a%2Fb')],
    ['%zz', get('/things/%zz')],
    ['%ff', get('/things/%ff?a=%ff')],
    ['dot segments', get('/../../etc/passwd')],
    ['two slashes', get('//evil.test/things')],
    ['query values', get('/things?limit=1e2&limit=+5&limit=05&limit=')],
    ['__proto__ in the query', get('/things?__proto__[a]=b&a[b][c]=d')],
    ['lower-case scheme', get('/things', 'Authorization: bearer a\r\n')],
    ['malformed credential', get('/things', 'Authorization: ???\r\n')],
    ['Accept that nothing meets', get('/things', 'Accept: image/png\r\n')],
  ].map(([name = '', bytes = '']) => keeping(`the mock's: ${name}`, 200, bytes)),
];
