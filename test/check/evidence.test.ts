import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compareRecords } from '../../src/check/evidence/compare-records.ts';
import { isValidOnWire } from '../../src/check/evidence/judge-request.ts';
import { readAnswer } from '../../src/check/evidence/read-answer.ts';
import { readRetryAfter } from '../../src/check/transport/retry-after.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/message.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { parseContract } from '../../src/contract/load.ts';
import { libraryContract } from './fixture/library-contract.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const answer = (headers: HttpResponse['headers'], body: Uint8Array): HttpResponse => ({ status: 200, headers, body });
const json = ['Content-Type', 'application/json'] as const;

describe('a body is read as its header says', () => {
  test.each([
    ['JSON', [json], bytes('{"a":9007199254740993}'), { kind: 'json', mediaType: 'application/json', value: { a: 9007199254740993n } }],
    ['JSON of another name', [['content-type', 'Application/Problem+JSON; charset=utf-8']], bytes('1'), { kind: 'json', mediaType: 'Application/Problem+JSON; charset=utf-8', value: 1 }],
    ['gzip', [json, ['Content-Encoding', 'GZIP']], gzipSync('1'), { kind: 'json', mediaType: 'application/json', value: 1 }],
    ['deflate', [json, ['Content-Encoding', 'deflate']], deflateSync('1'), { kind: 'json', mediaType: 'application/json', value: 1 }],
    ['bare deflate', [json, ['Content-Encoding', 'deflate']], deflateRawSync('1'), { kind: 'json', mediaType: 'application/json', value: 1 }],
    ['brotli', [json, ['Content-Encoding', 'br']], brotliCompressSync('1'), { kind: 'json', mediaType: 'application/json', value: 1 }],
    ['two codings', [json, ['Content-Encoding', 'gzip, br']], brotliCompressSync(gzipSync('1')), { kind: 'json', mediaType: 'application/json', value: 1 }],
    ['nothing', [json], bytes(''), { kind: 'empty', mediaType: 'application/json' }],
    ['text', [['Content-Type', 'text/plain']], bytes('hi'), { kind: 'bytes', mediaType: 'text/plain', bytes: bytes('hi') }],
    ['bytes without a name', [], bytes('hi'), { kind: 'bytes', bytes: bytes('hi') }],
    ['the same name twice', [json], bytes('{"a":1,"a":2}'), { kind: 'json', mediaType: 'application/json', value: { a: 2 }, repeats: 'the member `a` is given twice in one object, at line 1, column 8' }],
  ] as const)('%s', (_name, headers, body, expected) => {
    expect(readAnswer(answer(headers, new Uint8Array(body)))).toEqual(expected);
  });

  test.each([
    ['a coding that nobody asked for', [json, ['Content-Encoding', 'zip']], bytes('1'), 'Content-Encoding is zip, which the request did not ask for'],
    ['a coding that it has not', [json, ['Content-Encoding', 'gzip']], bytes('1'), 'Content-Encoding is gzip, but the body is not'],
    ['a chain of codings', [json, ['Content-Encoding', 'gzip,gzip,gzip,gzip']], bytes('1'), 'Content-Encoding names 4 codings'],
    ['a bomb', [json, ['Content-Encoding', 'gzip']], gzipSync(Buffer.alloc(9 * 1024 * 1024)), 'grows beyond 8 MiB when its gzip is undone'],
    ['NaN', [json], bytes('NaN'), 'the body says that it is application/json, but is not: '],
    ['a byte order mark', [json], bytes('\uFEFF{}'), 'the body says that it is application/json, but is not: '],
    ['bytes that are not UTF-8', [json], Uint8Array.from([0x22, 0xff, 0x22]), 'the body says that it is application/json, but is not: '],
  ] as const)('%s is unreadable', (_name, headers, body, reason) => {
    const read = readAnswer(answer(headers, new Uint8Array(body)));
    expect(read).toMatchObject({ kind: 'unreadable' });
    expect(read.kind === 'unreadable' ? read.reason : '').toContain(reason);
  });
});

describe('records are compared exactly, and with sense', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things:
    post:
      operationId: create
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                big: { type: integer, format: int64 }
                share: { type: number }
                deep: { type: object, properties: { bigs: { type: array, items: { type: integer, format: int64 } } } }
                text: { type: string }
                mail: { type: string, format: email }
                at: { type: string, format: date-time }
                tags: { type: array, items: { type: string } }
                inner: { type: object, additionalProperties: true }
                password: { type: string, writeOnly: true }
                made: { type: string, readOnly: true }
                kind: { type: string, enum: [a, b] }
      responses: { '201': { description: ok } }
`;
  const schema = parseContract(text, 't.yaml').operations[0]?.requestBody?.content[0]?.schema;

  function differing(wanted: JsonObject, got: JsonObject, absent: 'fine' | 'different' = 'fine'): string[] {
    if (schema === undefined) throw new Error('The contract of the test has no schema.');
    return compareRecords(wanted, got, { schema, absent, except: ['id'] }).map(({ field }) => field);
  }

  test.each([
    ['the same integer', { big: 9007199254740993n }, { big: 9007199254740993n }],
    ['an integer beyond a double where none is promised', { share: 9007199254740993n }, { share: 9007199254740992n }],
    ['a fraction in 32 bits', { share: 0.1 }, { share: 0.10000000149011612 }],
    ['blanks around a text', { text: ' a ' }, { text: 'a' }],
    ['another Unicode form', { text: 'e\u0301' }, { text: '\u00e9' }],
    ['an address in small letters', { mail: 'Robin@Example.com' }, { mail: 'robin@example.com' }],
    ['the same moment', { at: '2024-01-01T10:00:00+01:00' }, { at: '2024-01-01T09:00:00Z' }],
    ['a list in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
    ['more inside an object', { inner: { a: 1 } }, { inner: { a: 1, b: 2 } }],
    ['a password that is not shown', { password: 'x' }, { password: '***' }],
    ['what the server sets', { made: 'x' }, { made: 'y' }],
    ['a field that is left out', { text: 'a' }, {}],
    ['null for nothing', { text: null }, {}],
    ['what the contract does not know', { other: 1 }, { other: 2 }],
    ['the identifier', { id: 1 }, { id: 2 }],
    ['what is no such field at all', { kind: 'a' }, { kind: 'c' }],
  ] as const)('%s is no difference', (_name, wanted, got) => {
    expect(differing(wanted, got)).toEqual([]);
  });

  test.each([
    ['a rounded integer', { big: 9007199254740993n }, { big: 9007199254740992n }, ['big']],
    ['a rounded integer further down', { deep: { bigs: [9007199254740993n] } }, { deep: { bigs: [9007199254740992n] } }, ['deep']],
    ['another fraction', { share: 0.1 }, { share: 0.2 }, ['share']],
    ['another text', { text: 'é' }, { text: '?' }, ['text']],
    ['another case', { text: 'A' }, { text: 'a' }, ['text']],
    ['another moment', { at: '2024-01-01T10:00:00Z' }, { at: '2024-01-01T11:00:00Z' }, ['at']],
    ['a shorter list', { tags: ['a', 'b'] }, { tags: ['a'] }, ['tags']],
    ['less inside an object', { inner: { a: 1 } }, { inner: {} }, ['inner']],
    ['another enum value', { kind: 'a' }, { kind: 'b' }, ['kind']],
  ] as const)('%s is one', (_name, wanted, got, fields) => {
    expect(differing(wanted, got)).toEqual(fields);
  });

  test('a field that is left out is one where it must be shown', () => {
    expect(differing({ text: 'a', kind: 'a' }, { kind: 'a' }, 'different')).toEqual(['text']);
  });
});

describe('a request is judged as it stands on the wire', () => {
  const contract = libraryContract();
  const post: HttpRequest = { method: 'POST', target: '/v1/books', headers: [['Content-Type', 'application/json']], body: bytes('{"title":"a","shelfId":1}') };
  const get: HttpRequest = { method: 'GET', target: '/v1/books', headers: [], body: bytes('') };
  test.each([
    ['listBooks', get, true],
    ['listBooks', { ...get, target: '/v1/books?limit=5&status=lent' }, true],
    ['listBooks', { ...get, target: '/v1/books?limit=51' }, false],
    ['listBooks', { ...get, target: '/v1/books?limit=%zz' }, false],
    ['listBooks', { ...get, target: '/v1/magazines' }, false],
    ['getBook', { ...get, target: '/v1/books/9223372036854775807' }, true],
    ['getBook', { ...get, target: '/v1/books/9223372036854775808' }, false],
    ['getBook', { ...get, target: '/v1/books/abc' }, false],
    ['createBook', post, true],
    ['createBook', { ...post, body: bytes('{"title":"a"}') }, false],
    ['createBook', { ...post, body: bytes('') }, false],
    ['createBook', { ...post, body: bytes('{') }, false],
    ['createBook', { ...post, headers: [['Content-Type', 'text/plain']] }, false],
    ['createBook', { ...post, headers: [] }, false],
  ] as const)('%s %j: %s', (id, request, expected) => {
    const operation = contract.operations.find((candidate) => candidate.id === id);
    expect(operation && isValidOnWire(operation, request, '/v1')).toBe(expected);
  });
});

describe('Retry-After', () => {
  const now = new Date('2030-01-01T00:00:00Z');
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
    ['Tue, 01 Jan 2019 00:00:30 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
  ])('%s', (written, expected) => {
    expect(readRetryAfter(answer([['Retry-After', written]], bytes('')), now)).toBe(expected);
  });
});
