import { describe, expect, test } from 'vitest';
import {
  ResponseReader,
  type Reading,
} from '../../../../src/check/transport/wire/answer/response-reader.ts';
import { fc } from '../../../property.ts';

/**
 * What comes of bytes that arrive in these pieces, and of the end of the connection after them
 * where more is waited for.
 */
function read(
  pieces: readonly Buffer[],
  method = 'GET',
): { readonly outcome: unknown; readonly breaches: unknown } {
  const reader = new ResponseReader();
  reader.begin(method);
  let reading: Reading = { kind: 'more' };
  let before = 0;
  for (const piece of pieces) {
    // A buffer is used again after it was handed in.
    const lent = Buffer.from(piece);
    reading = reader.push(lent);
    lent.fill(0x5a);
    if (reading.kind !== 'more') break;
    before += piece.length;
  }
  if (reading.kind === 'more') reading = reader.end();
  const outcome =
    reading.kind === 'whole'
      ? { response: reading.response, rest: before + reading.rest }
      : reading.kind === 'broken'
        ? reading.fault.kind
        : 'more';
  return { outcome, breaches: reader.breaches.list?.map(({ kind }) => kind) };
}

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const answers: Readonly<Record<string, string>> = {
  'a length': `${json}Content-Length: 7\r\n\r\n{"a":1}`,
  'a length of nothing': `${json}Content-Length: 0\r\n\r\n`,
  'chunks, an extension and a trailer':
    `${json}Transfer-Encoding: ` +
    'chunked\r\n\r\n3;x="y"\r\n{"a\r\n4\r\n":1}\r\n0\r\nX-Sum: 1\r\n\r\n',
  'interim answers first':
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </' +
    `a>\r\n\r\n${json}Content-Length: 2\r\n\r\n[]`,
  'bare line ends': 'HTTP/1.1 200 OK\nContent-Length: 2\n\n[]',
  'mixed line ends': 'HTTP/1.1 200 OK\r\nX-A: b\nContent-Length: 2\r\n\n[]',
  'a bare line end before the empty line': 'HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\n[]',
  'folded, NUL and nameless lines': [
    json + 'X-A: b\r\n c\r\nX-N: \0\r\n',
    'what\r\nContent-Length: 2\r\n\r\n[]',
  ].join(''),
  'two lengths': `${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]`,
  'a chunk of no size': `${json}Transfer-Encoding: chunked\r\n\r\nq\r\n`,
  'a chunk that is too long': `${json}Transfer-Encoding: chunked\r\n\r\n1\r\n[]\r\n0\r\n\r\n`,
  'no content': 'HTTP/1.1 204 No Content\r\n\r\n',
  'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'a status that is none': 'HTTP/1.1 1000 Odd\r\n\r\n',
  'no HTTP': '220 mail ready\r\n',
  'line ends first': `\r\n${json}Content-Length: 2\r\n\r\n[]`,
};

describe('a response is the same in any chunks', () => {
  test.each(Object.entries(answers))('%s', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const whole = read([bytes]);
    expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
    for (let at = 1; at < bytes.length; at += 1)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  });
});

test('the next bytes begin where a response ends', () => {
  for (const text of [
    answers['a length'],
    answers['chunks, an extension and a trailer'],
    answers['interim answers first'],
    answers['bare line ends'],
  ]) {
    const { outcome } = read([Buffer.from(`${text ?? ''}HTTP/1.1 200 OK`, 'latin1')]);
    expect(outcome).toMatchObject({ rest: text?.length });
  }
});

test('names and values are unchanged, and each byte beyond ASCII is one character', () => {
  const { outcome, breaches } = read([
    Buffer.from(
      'HTTP/1.1 200 OK\r\ncOnTeNt-lEnGtH:2\r\nX-A:\t b \xc3\xa0\r\nX-A: \r\n\r\n[]',
      'latin1',
    ),
  ]);
  expect(outcome).toMatchObject({
    response: {
      status: 200,
      headers: [
        ['cOnTeNt-lEnGtH', '2'],
        ['X-A', 'b \xc3\xa0'],
        ['X-A', ''],
      ],
    },
  });
  expect(breaches).toBeUndefined();
});

describe('whether the connection stays open', () => {
  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, close\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\n\r\n', false],
  ])('%j: %s', (text, expected) => {
    const reader = new ResponseReader();
    reader.begin('GET');
    reader.push(Buffer.from(text));
    expect(reader.persistent).toBe(expected);
  });
});

test('an idle connection lasts one second less than the response promises', () => {
  const reader = new ResponseReader();
  const promised = [
    'Keep-Alive: timeout=5',
    'Keep-Alive: timeout=5',
    'keep-alive: max=9, Timeout=30',
    'Keep-Alive: max=9',
    '',
    'Keep-Alive: timeout=0',
  ].map((line) => {
    reader.begin('GET');
    reader.push(
      Buffer.from(
        `HTTP/1.1 200 OK\r\n${line === '' ? '' : `${line}\r\n`}Content-Length: 0\r\n\r\n`,
      ),
    );
    return reader.keepAliveMs;
  });
  expect(promised).toEqual([4_000, 4_000, 29_000, 4_000, 4_000, 0]);
});

test('an invalid header line is reported each time, between valid fields', () => {
  const bytes = [Buffer.from('HTTP/1.1 200 OK\r\nX-A: 1\r\nX B\r\nContent-Length: 0\r\n\r\n')];
  const first = read(bytes);
  const second = read(bytes);
  expect(second).toEqual(first);
  expect(second.outcome).toMatchObject({
    response: {
      headers: [
        ['X-A', '1'],
        ['Content-Length', '0'],
      ],
    },
  });
  expect(second.breaches).toEqual(['framing.header-line']);
});

test('no bytes of a server make it throw or read without end', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        ...Object.values(answers),
        'HTTP/1.1 ',
        '\r\n',
        '\n',
        '0\r\n\r\n',
        'ffffffffffffffff\r\n',
        'Content-Length: 99\r\n',
        'Transfer-Encoding: gzip, chunked\r\n',
      )
      .map((text) => Buffer.from(text, 'latin1')),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('GET', 'HEAD', 'POST'),
      (pieces, method) => {
        const { outcome } = read(pieces, method);
        expect(outcome).toBeDefined();
      },
    ),
    { numRuns: 1_000 },
  );
});
