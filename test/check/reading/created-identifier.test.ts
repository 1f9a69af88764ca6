import { describe, expect, test } from 'vitest';
import { createdIdentifier } from '../../../src/check/reading/created-record.ts';
import type { Resource } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import type { HttpResponse } from '../../../src/http/message.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import { shopContract } from '../fixture/shop.ts';

/** The identifier that a create shows by its answer, its `Location`, or the body that was sent. */
function identifierOf(
  resource: Resource | undefined,
  shown: { readonly location?: string | undefined; readonly answer?: JsonValue },
  sent?: JsonValue,
): JsonValue | undefined {
  const { location, answer } = shown;
  const response: HttpResponse = {
    status: 201,
    headers: location === undefined ? [] : [['Location', location]],
    body: new Uint8Array(),
  };
  return (
    resource &&
    createdIdentifier(resource, {
      answer:
        answer === undefined
          ? { kind: 'empty' }
          : { kind: 'json', mediaType: 'application/json', value: answer },
      exchange: { response },
      sent: { arguments: new Map(), ...(sent === undefined ? {} : { body: sent }) },
    })
  );
}

describe('the identifier of a new record', () => {
  const [books] = libraryContract().resources;
  const [items] = shopContract().resources;

  test('is in the record', () => {
    const answer = { id: 9007199254740993n };
    expect(identifierOf(books, { answer, location: '/books/5' })).toBe(9007199254740993n);
  });

  test.each([
    ['/v1/books/4711', 4711n],
    ['https://x.example/v1/books/4711?x=1', 4711n],
    ['/v1/books/', undefined],
    ['/v1/books/abc', undefined],
  ])('or at the end of Location: %s', (location, expected) => {
    expect(identifierOf(books, { location })).toBe(expected);
  });

  test.each([
    ['/items/a%20b', 'a b'],
    ['/items/abc/', 'abc'],
    ['/items/%zz', undefined],
    [undefined, undefined],
  ])('as text where it is one: %s', (location, expected) => {
    expect(identifierOf(items, { location })).toBe(expected);
  });

  test.each(['items', './items', '/items/', 'https://x.example/v1/items?page=1'])(
    'is not told by a Location that names the collection: %s',
    (location) => {
      expect(identifierOf(items, { location })).toBeUndefined();
    },
  );

  test('stands under the name of the path parameter, or of the record', () => {
    expect(identifierOf(books, { answer: { bookId: 7 } })).toBe(7);
    expect(identifierOf(books, { answer: { book_ID: 7 } })).toBe(7);
    expect(identifierOf(books, { answer: { shelfId: 7 } })).toBeUndefined();
  });

  test('is what the run made up for it, if the answer shows none', () => {
    expect(identifierOf(items, { answer: {} }, { id: 'vouch-0a1b2c-1' })).toBe('vouch-0a1b2c-1');
    expect(identifierOf(items, { answer: {} }, { id: 'NZ615' })).toBeUndefined();
  });
});
