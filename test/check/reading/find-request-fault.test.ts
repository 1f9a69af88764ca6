import { describe, expect, test } from 'vitest';
import { findRequestFault, isValidOnWire } from '../../../src/check/reading/find-request-fault.ts';
import type { HttpRequest } from '../../../src/http/message.ts';
import { libraryContract } from '../fixture/library-contract.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a request is validated in its encoded form', () => {
  const contract = libraryContract();
  const post: HttpRequest = {
    method: 'POST',
    target: '/v1/books',
    headers: [['Content-Type', 'application/json']],
    body: bytes('{"title":"a","shelfId":1}'),
  };
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

  test.each([
    [
      'a parameter',
      'listBooks',
      { ...get, target: '/v1/books?limit=51' },
      'limit must be 50 or less (query, /paths/~1books/get/parameters/0)',
    ],
    [
      'a body that is missing',
      'createBook',
      { ...post, body: bytes('') },
      'the body is missing (body, /paths/~1books/post/requestBody)',
    ],
    [
      'a member of the body',
      'createBook',
      { ...post, body: bytes('{"title":1,"shelfId":1}') },
      'the value at /title of the body must be a string, but is an integer (body, ' +
        '/paths/~1books/post/requestBody)',
    ],
    [
      'no media type',
      'createBook',
      { ...post, headers: [] },
      'the body is of no media type (body, /paths/~1books/post/requestBody)',
    ],
    ['nothing', 'createBook', post, undefined],
  ] as const)('it says what a request breaks: %s', (_name, id, request, expected) => {
    const operation = contract.operations.find((candidate) => candidate.id === id);
    const fault = operation && findRequestFault(operation, request, new Map());
    expect(fault && `${fault.rule} (${fault.part}, ${fault.at})`).toBe(expected);
  });

  test('parameters are extracted from the path', () => {
    const operation = contract.operations.find(({ id }) => id === 'getBook');
    expect(
      operation && findRequestFault(operation, get, new Map([['bookId', 'abc']]))?.subject,
    ).toBe('bookId');
  });
});
