import { describe, expect, test } from 'vitest';
import { createdIdentifier } from '../../../../src/check/evidence/record/created-record.ts';
import type { HttpResponse } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { shopContract } from '../../fixture/shop.ts';

function created(location: string | undefined): HttpResponse {
  return {
    status: 201,
    headers: location === undefined ? [] : [['Location', location]],
    body: new Uint8Array(),
  };
}

describe('the identifier of a new record', () => {
  const [books] = libraryContract().resources;
  const [items] = shopContract().resources;

  test('is in the record', () => {
    const answer = {
      kind: 'json',
      mediaType: 'application/json',
      value: { id: 9007199254740993n },
    } as const;
    expect(books && createdIdentifier(books, answer, created('/books/5'))).toBe(9007199254740993n);
  });

  test.each([
    ['/v1/books/4711', 4711n],
    ['https://x.example/v1/books/4711?x=1', 4711n],
    ['/v1/books/', undefined],
    ['/v1/books/abc', undefined],
  ])('or at the end of Location: %s', (location, expected) => {
    expect(books && createdIdentifier(books, { kind: 'empty' }, created(location))).toBe(expected);
  });

  test.each([
    ['/items/a%20b', 'a b'],
    ['/items/abc/', 'abc'],
    ['/items/%zz', undefined],
    [undefined, undefined],
  ])('as text where it is one: %s', (location, expected) => {
    expect(items && createdIdentifier(items, { kind: 'empty' }, created(location))).toBe(expected);
  });
});
