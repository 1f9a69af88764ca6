import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/check/reading/read-answer.ts';
import type { HttpResponse } from '../../../src/http/message.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (headers: HttpResponse['headers'], body: Uint8Array): HttpResponse => ({
  status: 200,
  headers,
  body,
});
const json = ['Content-Type', 'application/json'] as const;

describe('a body is parsed by its header', () => {
  test.each([
    [
      'JSON',
      [json],
      bytes('{"a":9007199254740993}'),
      { kind: 'json', mediaType: 'application/json', value: { a: 9007199254740993n } },
    ],
    [
      'JSON of another name',
      [['content-type', 'Application/Problem+JSON; charset=utf-8']],
      bytes('1'),
      { kind: 'json', mediaType: 'Application/Problem+JSON; charset=utf-8', value: 1 },
    ],
    [
      'gzip',
      [json, ['Content-Encoding', 'GZIP']],
      gzipSync('1'),
      { kind: 'json', mediaType: 'application/json', value: 1 },
    ],
    [
      'deflate',
      [json, ['Content-Encoding', 'deflate']],
      deflateSync('1'),
      { kind: 'json', mediaType: 'application/json', value: 1 },
    ],
    [
      'bare deflate',
      [json, ['Content-Encoding', 'deflate']],
      deflateRawSync('1'),
      { kind: 'json', mediaType: 'application/json', value: 1 },
    ],
    [
      'brotli',
      [json, ['Content-Encoding', 'br']],
      brotliCompressSync('1'),
      { kind: 'json', mediaType: 'application/json', value: 1 },
    ],
    [
      'two codings',
      [json, ['Content-Encoding', 'gzip, br']],
      brotliCompressSync(gzipSync('1')),
      { kind: 'json', mediaType: 'application/json', value: 1 },
    ],
    ['nothing', [json], bytes(''), { kind: 'empty', mediaType: 'application/json' }],
    [
      'text',
      [['Content-Type', 'text/plain']],
      bytes('hi'),
      { kind: 'bytes', mediaType: 'text/plain', bytes: bytes('hi') },
    ],
    ['bytes without a name', [], bytes('hi'), { kind: 'bytes', bytes: bytes('hi') }],
    [
      'the same name twice',
      [json],
      bytes('{"a":1,"a":2}'),
      {
        kind: 'json',
        mediaType: 'application/json',
        value: { a: 2 },
        repeats: 'the member `a` is given twice in one object, at line 1, column 8',
      },
    ],
  ] as const)('%s', (_name, headers, body, expected) => {
    expect(readAnswer(answer(headers, new Uint8Array(body)))).toEqual(expected);
  });

  test.each([
    [
      'a coding that nobody asked for',
      [json, ['Content-Encoding', 'zip']],
      bytes('1'),
      'Content-Encoding is zip, which the request did not ask for',
    ],
    [
      'a coding that it has not',
      [json, ['Content-Encoding', 'gzip']],
      bytes('1'),
      'Content-Encoding is gzip, but the body is not',
    ],
    [
      'a chain of codings',
      [json, ['Content-Encoding', 'gzip,gzip,gzip,gzip']],
      bytes('1'),
      'Content-Encoding names 4 codings',
    ],
    [
      'a bomb',
      [json, ['Content-Encoding', 'gzip']],
      gzipSync(Buffer.alloc(9 * 1024 * 1024)),
      'grows beyond 8 MiB when its gzip is undone',
    ],
    ['NaN', [json], bytes('NaN'), 'the body says that it is application/json, but is not: '],
    [
      'a byte order mark',
      [json],
      bytes('\uFEFF{}'),
      'the body says that it is application/json, but is not: ',
    ],
    [
      'bytes that are not UTF-8',
      [json],
      Uint8Array.from([0x22, 0xff, 0x22]),
      'the body says that it is application/json, but is not: ',
    ],
  ] as const)('%s is unreadable', (_name, headers, body, reason) => {
    const read = readAnswer(answer(headers, new Uint8Array(body)));
    expect(read).toMatchObject({ kind: 'unreadable' });
    expect(read.kind === 'unreadable' ? read.reason : '').toContain(reason);
  });
});
