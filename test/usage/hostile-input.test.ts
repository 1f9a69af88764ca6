import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/index.ts';

/**
 * The whole mock, as `vouch start` serves it, against what must not hurt it. After each row a plain
 * request must still be answered.
 */
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const key = 'Authorization: Bearer demo-key';
const pet = '{"name":"Rex","categoryId":1}';

interface Row {
  readonly name: string;
  readonly head: readonly string[];
  readonly body?: string | Uint8Array;
  readonly status: number;
  readonly says?: RegExp;
  /** The head is all there is: no Host of this mock's, and no `Connection: close`, is added. */
  readonly raw?: true;
}

/** Bytes that are no sound request, and the status that they get. */
function raw(name: string, lines: readonly string[], status: number, body = ''): Row {
  return { name, head: lines, body, status, raw: true };
}

const sound = ['Host: localhost', key];

function post(
  name: string,
  body: string | Uint8Array,
  status: number,
  says?: RegExp,
  fields: readonly string[] = ['Content-Type: application/json'],
): Row {
  return {
    name,
    head: [
      'POST /v1/pets HTTP/1.1',
      key,
      ...fields,
      `Content-Length: ${String(Buffer.byteLength(body))}`,
    ],
    body,
    status,
    ...(says === undefined ? {} : { says }),
  };
}

function get(
  name: string,
  target: string,
  status: number,
  says?: RegExp,
  fields: readonly string[] = [key],
): Row {
  return {
    name,
    head: [`GET ${target} HTTP/1.1`, ...fields],
    status,
    ...(says === undefined ? {} : { says }),
  };
}

const rows: readonly Row[] = [
  post('malformed JSON', '{"name":', 400, /"code":"invalid_json"/),
  post('NaN', '{"name":"Rex","categoryId":NaN}', 400, /not valid JSON/),
  post('1e400', '{"name":"Rex","categoryId":1e400}', 400),
  post('text behind the document', `${pet}x`, 400),
  post('an empty body', '', 400),
  post('a scalar', '"Rex"', 400, /must be an object/),
  post('an array', '[]', 400, /must be an object/),
  post('null', 'null', 400, /must be an object/),
  post('a byte-order mark', `\uFEFF${pet}`, 400),
  post('bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400),
  post('a lone surrogate', '{"name":"\\ud800","categoryId":1}', 400),
  post('a key twice', '{"name":"a","name":"b","categoryId":1}', 400, /name/),
  post('2^63', '{"name":"Rex","categoryId":9223372036854775808}', 400, /int64/),
  post(
    '2^63 - 1, kept to the last digit',
    '{"name":"Rex","categoryId":9223372036854775807}',
    201,
    /"categoryId":9223372036854775807/,
  ),
  post('__proto__ as a key', '{"name":"Rex","categoryId":1,"__proto__":{"admin":true}}', 400),
  post(
    'constructor as a key',
    '{"name":"Rex","categoryId":1,"constructor":{"prototype":{"admin":true}}}',
    201,
  ),
  post(
    '20,000 levels',
    `{"name":"Rex","categoryId":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    400,
    /level|deep/,
  ),
  post('another media type', pet, 400, /Content-Type/, ['Content-Type: text/plain']),
  post('no media type', pet, 400, /Content-Type/, []),
  post('an unknown coding', pet, 415, /Content-Encoding/, [
    'Content-Type: application/json',
    'Content-Encoding: rot13',
  ]),
  post('a bomb', gzipSync(Buffer.alloc(20_000_000)), 413, /./, [
    'Content-Type: application/json',
    'Content-Encoding: gzip',
  ]),
  post('a body over the limit', `{"name":"${'x'.repeat(1_100_000)}","categoryId":1}`, 413),
  get('%zz in the path', '/v1/pets/%zz', 404, /%zz/),
  get('%ff in the path', '/v1/pets/%ff', 404),
  get('%zz in the query', '/v1/pets?status=%zz', 400),
  get('an escaped letter', '/v1/p%65ts?limit=1', 200),
  get('an escaped slash', '/v1/pets/a%2Fb', 404),
  get('a trailing slash', '/v1/pets/', 404),
  get('another case', '/v1/PETS', 404),
  get('limit=1e2', '/v1/pets?limit=1e2', 400, /must be an integer/),
  get('limit=+5', '/v1/pets?limit=%2B5', 400),
  get('limit=05', '/v1/pets?limit=05', 400),
  get('limit=1.0', '/v1/pets?limit=1.0', 400),
  get('limit empty', '/v1/pets?limit=', 400),
  get('limit=abc', '/v1/pets?limit=abc', 400),
  get('limit=101', '/v1/pets?limit=101', 400, /100 or less/),
  get('limit twice', '/v1/pets?limit=1&limit=2', 400),
  get('a target over 8,000 bytes', `/v1/pets?x=${'y'.repeat(8_000)}`, 414),
  get('a header block over 16 KiB', '/v1/pets', 431, /./, [key, `X-Long: ${'y'.repeat(17_000)}`]),
  get('101 header fields', '/v1/pets', 431, /./, [
    key,
    ...Array.from({ length: 100 }, (_, index) => `X-${String(index)}: a`),
  ]),
  get('a scheme in lower case', '/v1/pets?limit=1', 200, /./, ['Authorization: bearer demo-key']),
  get('a scheme in upper case', '/v1/pets?limit=1', 200, /./, ['Authorization: BEARER demo-key']),
  get('a scheme alone', '/v1/pets', 401, /WWW-Authenticate: Bearer/, ['Authorization: Bearer']),
  get('a credential that is none', '/v1/pets', 401, /WWW-Authenticate: Bearer/, [
    'Authorization: ???',
  ]),
  get('no media type that the answer has', '/v1/pets', 406, /application\/json/, [
    key,
    'Accept: image/png',
  ]),
  get('no media type that the answer has, or any', '/v1/pets?limit=1', 200, /./, [
    key,
    'Accept: image/png, */*;q=0.1',
  ]),
  get('no credential', '/v1/pets', 401, /WWW-Authenticate: Bearer realm=/, []),
  get('a wrong credential', '/v1/pets', 401, /error="invalid_token"/, [
    'Authorization: Bearer wrong',
  ]),
  get('two credentials', '/v1/pets', 400, /./, [key, key]),
  {
    name: 'an undeclared method',
    head: ['DELETE /v1/pets HTTP/1.1', key],
    status: 405,
    says: /Allow: .*GET.*POST/,
  },
  { name: 'an unknown method', head: ['BREW /v1/pets HTTP/1.1', key], status: 501 },
  { name: 'OPTIONS', head: ['OPTIONS /v1/pets HTTP/1.1'], status: 204, says: /Allow: / },
  { name: 'HEAD', head: ['HEAD /v1/pets HTTP/1.1', key], status: 200 },
  raw('two Host', ['GET /v1/pets HTTP/1.1', ...sound, 'Host: other'], 400),
  raw('no Host', ['GET /v1/pets HTTP/1.1', key], 400),
  raw('a Host that is none', ['GET /v1/pets HTTP/1.1', 'Host: a/b', key], 400),
  raw(
    'two Content-Type',
    [
      'POST /v1/pets HTTP/1.1',
      ...sound,
      'Content-Type: application/json',
      'Content-Type: text/plain',
      `Content-Length: ${String(pet.length)}`,
    ],
    400,
    pet,
  ),
  raw('HTTP/0.9', ['GET /v1/pets'], 400),
  raw('HTTP/2.0', ['GET /v1/pets HTTP/2.0', ...sound], 400),
  raw(
    'chunks in HTTP/1.0',
    [
      'POST /v1/pets HTTP/1.0',
      ...sound,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ],
    400,
    `${pet.length.toString(16)}\r\n${pet}\r\n0\r\n\r\n`,
  ),
  raw(
    'an unknown transfer coding',
    [
      'POST /v1/pets HTTP/1.1',
      ...sound,
      'Content-Type: application/json',
      'Transfer-Encoding: shrunk',
    ],
    501,
    '0\r\n\r\n',
  ),
  raw('a folded header', ['GET /v1/pets HTTP/1.1', ...sound, 'X-A: b', ' c'], 400),
  raw('a bare line feed', ['GET /v1/pets HTTP/1.1\nHost: localhost'], 400),
  raw(
    'a bare line feed in the head',
    ['GET /v1/pets HTTP/1.1', 'Host: localhost\nX-A: b', key],
    400,
  ),
  raw('CONNECT', ['CONNECT example.test:443 HTTP/1.1', ...sound], 405),
  raw('OPTIONS *', ['OPTIONS * HTTP/1.1', ...sound, 'Connection: close'], 204),
  raw('GET *', ['GET * HTTP/1.1', ...sound], 400),
  raw('a target that is no path', ['GET pets HTTP/1.1', ...sound], 400),
  raw(
    'an absolute target',
    ['GET http://elsewhere.test/v1/pets?limit=1 HTTP/1.1', ...sound, 'Connection: close'],
    200,
  ),
  {
    name: 'a body length and chunks at once',
    head: ['POST /v1/pets HTTP/1.1', key, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    body: '0\r\n\r\n',
    status: 400,
  },
];

describe(
  'nothing that a client sends gets a 5xx but for 501, ends the mock or is ' +
    'stored when it is refused',
  () => {
    test.each(rows)('$name: $status', async ({ head, body, status, says, raw: whole }) => {
      const before = await countRecords();
      const answer = await exchange(
        whole === true
          ? head
          : [...head, `Host: 127.0.0.1:${String(mock.port)}`, 'Connection: close'],
        body,
      );
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
      if (says !== undefined) expect(answer).toMatch(says);
      expect(await countRecords()).toBe(status === 201 ? before + 1 : before);
    });
  },
);

async function exchange(head: readonly string[], body: string | Uint8Array = ''): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port: mock.port });
  // A refusal may close the connection while the rest of the body is still on its way.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write([...head, '', ''].join('\r\n'));
  socket.write(body);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

/** The greatest identifier is that of the last record added: the next one tells how many were. */
async function countRecords(): Promise<number> {
  const answer = await fetch(`${mock.url}/pets?limit=100`, {
    headers: { Authorization: 'Bearer demo-key' },
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as unknown[]).length;
}
