import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { answer, decent, type Behave } from './chaos-server.ts';

/** Says bytes and leaves the connection open. */
export function say(...parts: readonly (string | Buffer)[]): Behave {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return (socket) => void socket.write(bytes);
}

/** Says bytes and closes. */
export function sayAndClose(...parts: readonly (string | Buffer)[]): Behave {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  return (socket) => void socket.end(bytes);
}

const ok = 'HTTP/1.1 200 OK\r\n';
const json = `${ok}Content-Type: application/json\r\n`;
const body = '{"count":1}';
const sound = `${json}Content-Length: 11\r\n\r\n${body}`;
const chunked = `${json}Transfer-Encoding: chunked\r\n\r\n`;

/** Says something again and again for as long as somebody takes it. */
function flood(first: string, piece: string): Behave {
  return (socket) => {
    const more = (error?: Error | null): void => {
      if (error === undefined || error === null) socket.write(piece, more);
    };
    socket.write(first);
    more();
  };
}

/** Says one byte after the other, each a moment after the last. */
function drip(first: string, piece: string): Behave {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Behaves in the one way the first time on each connection, and in the other way ever after. */
function firstThen(first: Behave, then: Behave): Behave {
  const seen = new WeakSet();
  return (socket, request) => {
    const again = seen.has(socket);
    seen.add(socket);
    (again ? then : first)(socket, request);
  };
}

const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
const manyCodings = Array.from({ length: 500 }, () => 'gzip').join(', ');
const manyFields = Array.from(
  { length: 100_000 },
  (_unused, index) => `X-${String(index)}: y\r\n`,
).join('');

/**
 * What goes wrong, by name: how the server behaves, and the finding that it is, as severity, check
 * and cause. A status that is wrong too is one more.
 */
export const misbehaviours: Readonly<Record<string, readonly [Behave, string, ...string[]]>> = {
  hangs: [() => {}, 'error operation-answers timeout'],
  'resets at once': [
    (socket) => void socket.resetAndDestroy(),
    'error operation-answers connection.reset',
  ],
  'closes at once': [(socket) => void socket.end(), 'error operation-answers connection.reset'],
  'resets in the middle of the body': [
    (socket) =>
      void socket.write(`${json}Content-Length: 11\r\n\r\n{"c`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      ),
    'error operation-answers connection.truncated',
  ],
  'closes in the middle of the body': [
    sayAndClose(`${json}Content-Length: 11\r\n\r\n{"c`),
    'error operation-answers connection.truncated',
  ],
  'closes in the middle of the header': [
    sayAndClose(`${ok}Content-Ty`),
    'error operation-answers connection.truncated',
  ],
  'never sends the last chunk': [
    sayAndClose(`${chunked}b\r\n${body}\r\n`),
    'error operation-answers connection.truncated',
  ],
  'drips the header': [drip(ok, 'X'), 'error operation-answers timeout'],
  'drips the body': [
    drip(`${json}Content-Length: 100000\r\n\r\n`, ' '),
    'error operation-answers timeout',
  ],
  'drips chunks': [drip(chunked, '1\r\n \r\n'), 'error operation-answers timeout'],
  'sends more than Content-Length': [
    say(`${json}Content-Length: 11\r\n\r\n${body} and more`),
    'error transport-sound framing.extra-bytes',
  ],
  'sends more than its chunks': [
    say(`${chunked}b\r\n${body}\r\n0\r\n\r\nand more`),
    'error transport-sound framing.extra-bytes',
  ],
  'sends more and closes': [
    sayAndClose(`${json}Connection: close\r\nContent-Length: 11\r\n\r\n${body} and more`),
    'error transport-sound framing.extra-bytes',
  ],
  'answers twice': [say(sound, sound), 'error transport-sound framing.second-response'],
  'gives two unequal lengths': [
    say(`${json}Content-Length: 11\r\nContent-Length: 12\r\n\r\n${body}`),
    'error transport-sound framing.length-conflict',
  ],
  'gives two unequal lengths in one field': [
    say(`${json}Content-Length: 11, 12\r\n\r\n${body}`),
    'error transport-sound framing.length-conflict',
  ],
  'gives the length twice': [
    say(`${json}Content-Length: 11\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.length-repeated',
  ],
  'gives a length that is no number': [
    say(`${json}Content-Length: +11\r\n\r\n${body}`),
    'error transport-sound framing.length-invalid',
  ],
  'gives a length that is below zero': [
    say(`${json}Content-Length: -1\r\n\r\n${body}`),
    'error transport-sound framing.length-invalid',
  ],
  'gives a length and chunks': [
    say(`${json}Content-Length: 11\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n${body}\r\n0\r\n\r\n`),
    'error transport-sound framing.length-and-coding',
  ],
  'has a transfer coding that nobody asked for': [
    say(`${json}Transfer-Encoding: identity, chunked\r\n\r\nb\r\n${body}\r\n0\r\n\r\n`),
    'error transport-sound framing.transfer-encoding',
  ],
  'sends chunks in HTTP/1.0': [
    sayAndClose(
      'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: ' +
        `chunked\r\n\r\nb\r\n${body}\r\n0\r\n\r\n`,
    ),
    'error transport-sound framing.transfer-encoding',
  ],
  'sends a chunk of no size': [
    say(`${chunked}zz\r\n${body}\r\n0\r\n\r\n`),
    'error transport-sound framing.chunk-size',
  ],
  'sends a chunk below zero': [
    say(`${chunked}-1\r\n${body}\r\n0\r\n\r\n`),
    'error transport-sound framing.chunk-size',
  ],
  'sends a chunk longer than it says': [
    say(`${chunked}3\r\n${body}\r\n0\r\n\r\n`),
    'error transport-sound framing.chunk-end',
  ],
  'ends lines in LF alone': [
    say(`HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 11\n\n${body}`),
    'error transport-sound framing.bare-lf',
  ],
  'ends one line in LF alone': [
    say(`${json}X-One: 1\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.bare-lf',
  ],
  'ends a chunk in LF alone': [
    say(`${chunked}b\n${body}\n0\n\n`),
    'error transport-sound framing.bare-lf',
  ],
  'has NUL in a header field': [
    say(`${json}X-Nul: a\0b\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.header-value',
  ],
  'has CR in a header field': [
    say(`${json}X-Cr: a\rb\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.header-value',
  ],
  'folds a header field': [
    say(`${json}X-Fold: a\r\n b\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.header-fold',
  ],
  'has a blank before a colon': [
    say(`${json}X-Blank : a\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.header-line',
  ],
  'has a header line without a colon': [
    say(`${json}what is this\r\nContent-Length: 11\r\n\r\n${body}`),
    'error transport-sound framing.header-line',
  ],
  'sends a body with 304': [
    say(`HTTP/1.1 304 Not Modified\r\n\r\n${body}`),
    'error transport-sound framing.body-not-allowed',
    'error status-documented 304 valid',
  ],
  'sends a body with 204': [
    say(`HTTP/1.1 204 No Content\r\n\r\n${body}`),
    'error transport-sound framing.body-not-allowed',
    'error status-documented 204 valid',
  ],
  'answers 999': [say(sound.replace('200 OK', '999 Odd')), 'error transport-sound status.invalid'],
  'answers 99': [say(sound.replace('200 OK', '99 Odd')), 'error transport-sound status.invalid'],
  'answers in words': [say(sound.replace('200 OK', 'OK')), 'error transport-sound status.invalid'],
  'speaks HTTP/2 in frames': [
    sayAndClose(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100])),
    'error transport-sound protocol.http2',
  ],
  'sends the preface of HTTP/2': [
    sayAndClose('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'error transport-sound protocol.http2',
  ],
  'says HTTP/2.0 in the status line': [
    say(sound.replace('HTTP/1.1', 'HTTP/2.0')),
    'error transport-sound protocol.version',
  ],
  'answers in HTTP/0.9': [sayAndClose(body), 'error transport-sound protocol.not-http'],
  'speaks another protocol': [
    sayAndClose('220 mail.example ESMTP\r\n'),
    'error transport-sound protocol.not-http',
  ],
  'sends 101 unasked': [
    say('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'error transport-sound protocol.unsolicited-upgrade',
  ],
  'floods with 100': [
    flood('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    'error transport-sound protocol.interim-flood',
  ],
  'names a coding that is none': [
    say(answer(body, 'Content-Encoding: rot13\r\n')),
    'error transport-sound encoding.unknown',
  ],
  'lies about its coding': [
    say(answer(body, 'Content-Encoding: gzip\r\n')),
    'error transport-sound encoding.mismatch',
  ],
  'breaks its coding off': [
    say(answer(gzipSync(body).subarray(0, 15), 'Content-Encoding: gzip\r\n')),
    'error transport-sound encoding.mismatch',
  ],
  'names 500 codings': [
    say(answer(body, `Content-Encoding: ${manyCodings}\r\n`)),
    'warning transport-sound encoding.chain',
  ],
  'sends a gzip bomb': [
    say(answer(bomb, 'Content-Encoding: gzip\r\n')),
    'error transport-sound body.too-large',
  ],
  'sends a bomb in a bomb': [
    say(answer(gzipSync(bomb), 'Content-Encoding: gzip, gzip\r\n')),
    'error transport-sound body.too-large',
  ],
  'announces a terabyte': [
    say(`${json}Content-Length: 1000000000000\r\n\r\n`),
    'warning transport-sound body.too-large',
  ],
  'never ends its body': [
    flood(`${json}\r\n`, ' '.repeat(65_536)),
    'warning transport-sound body.too-large',
  ],
  'never ends its chunks': [
    flood(chunked, `10000\r\n${' '.repeat(65_536)}\r\n`),
    'warning transport-sound body.too-large',
  ],
  'never ends its trailers': [
    flood(`${chunked}0\r\n`, `X-More: ${'x'.repeat(1_000)}\r\n`),
    'error transport-sound headers.too-large',
  ],
  'sends 100,000 header fields': [
    say(ok, manyFields, '\r\n'),
    'error transport-sound headers.too-large',
  ],
  'sends a header of 1 MB': [
    say(`${ok}X-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    'error transport-sound headers.too-large',
  ],
  'sends invalid UTF-8': [
    say(
      answer(
        Buffer.from([...Buffer.from('{"count":1,"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
      ),
    ),
    'error body-parses application/json',
  ],
  'begins with a BOM': [say(answer(`\uFEFF${body}`)), 'error body-parses application/json'],
  'sends NaN': [say(answer('{"count":NaN}')), 'error body-parses application/json'],
  'names a member twice': [
    say(answer('{"count":1,"count":2}')),
    'warning transport-sound body.repeated-name',
  ],
  'sends an integer beyond int64': [
    say(answer('{"count":9223372036854775808}')),
    'error body-matches-schema ',
  ],
  'redirects to another host': [
    say('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/steal\r\nContent-Length: 0\r\n\r\n'),
    'error status-documented 302 valid',
  ],
};

/** What is in order, however odd it looks. */
export const decencies: Readonly<Record<string, Behave>> = {
  'a plain answer': say(decent),
  'Connection: close': sayAndClose(`${json}Connection: close\r\nContent-Length: 11\r\n\r\n${body}`),
  'Connection: close, and it stays open': say(
    `${json}Connection: close\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  'a close without a word about it': sayAndClose(decent),
  'a close when the next request is on its way': firstThen(
    say(decent),
    (socket) => void socket.destroy(),
  ),
  'a reset when the next request is on its way': firstThen(
    say(decent),
    (socket) => void socket.resetAndDestroy(),
  ),
  'a body that ends with the connection': sayAndClose(`${json}\r\n${body}`),
  'HTTP/1.0': sayAndClose(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${body}`),
  'HTTP/1.0 that keeps the connection': say(
    'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nConnection: ' +
      `keep-alive\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  'Keep-Alive of no time': say(answer(body, 'Keep-Alive: timeout=0\r\n')),
  'a status line without a reason': say(
    `HTTP/1.1 200 \r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  'a status line without a reason and its blank': say(
    `HTTP/1.1 200\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  'a reason in Latin-1': say(
    `HTTP/1.1 200 Très bien\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  chunks: say(`${chunked}5\r\n{"cou\r\n6\r\nnt":1}\r\n0\r\n\r\n`),
  'chunks with extensions': say(
    `${chunked}5;a=b\r\n{"cou\r\n0006 ; c="d;e"\r\nnt":1}\r\n0;last\r\n\r\n`,
  ),
  'chunks with trailers': say(
    `${json}Trailer: X-Sum\r\nTransfer-Encoding: ` +
      `Chunked\r\n\r\nB\r\n${body}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ),
  'byte by byte': (socket) => {
    for (const byte of Buffer.from(`${chunked}b\r\n${body}\r\n0\r\n\r\n`))
      socket.write(Buffer.of(byte));
  },
  'a line end too many': say(decent, '\r\n'),
  '100 Continue': say('HTTP/1.1 100 Continue\r\n\r\n', decent),
  '103 Early Hints, twice': say(
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n',
    decent,
  ),
  'header names in any case': say(
    `${ok}content-TYPE: application/json\r\nCONTENT-length: 11\r\n\r\n${body}`,
  ),
  'header values without a blank, or with many': say(
    `${ok}Content-Type:application/json\r\nContent-Length: \t 11 \t\r\nX-Empty:\r\n\r\n${body}`,
  ),
  'a media type with parameters': say(
    `${ok}Content-Type: application/json; charset="UTF-8"; ` +
      `v=1\r\nContent-Length: 11\r\n\r\n${body}`,
  ),
  gzip: say(answer(gzipSync(body), 'Content-Encoding: gzip\r\n')),
  'gzip by its old name': say(answer(gzipSync(body), 'Content-Encoding: X-GZIP\r\n')),
  deflate: say(answer(deflateSync(body), 'Content-Encoding: deflate\r\n')),
  'deflate without its frame': say(answer(deflateRawSync(body), 'Content-Encoding: deflate\r\n')),
  br: say(answer(brotliCompressSync(body), 'Content-Encoding: br\r\n')),
  zstd: say(answer(zstdCompressSync(body), 'Content-Encoding: zstd\r\n')),
  'three codings, one upon the other': say(
    answer(
      deflateSync(brotliCompressSync(gzipSync(body))),
      'Content-Encoding: gzip, br\r\nContent-Encoding: deflate\r\n',
    ),
  ),
  identity: say(answer(body, 'Content-Encoding: identity\r\n')),
  'an integer beyond 2^53': say(answer('{"count":9007199254740993}')),
  'a cookie each time, twice': say(answer(body, 'Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n')),
  '1,000 header fields': say(
    answer(
      body,
      Array.from({ length: 1_000 }, (_unused, index) => `X-${String(index)}: y\r\n`).join(''),
    ),
  ),
};
