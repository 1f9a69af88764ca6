import { describe, expect, test } from 'vitest';
import { findingId, steadyPointer } from '../../../../src/check/engine/judge/make-finding.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/json/value.ts';

const document: JsonObject = {
  security: [{ bearer: [] }, { key: [], app: [] }],
  paths: {
    '/books': {
      get: {
        parameters: [
          { $ref: '#/components/parameters/Page' },
          { name: 'limit', in: 'query', schema: { minimum: 1 } },
          { name: 'limit', in: 'header' },
        ],
      },
    },
  },
  components: {
    schemas: {
      Book: {
        required: ['title', 'shelf'],
        allOf: [{ $ref: '#/components/schemas/New' }, { type: 'object' }],
      },
    },
  },
};

/** The same document with every list and every object the other way round. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed).toReversed();
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name, reversed(member)]),
      )
    : value;
}

describe('an id does not change with the order of the contract', () => {
  test.each([
    [
      '/paths/~1books/get/parameters/1/schema/minimum',
      '/paths/~1books/get/parameters/1/schema/minimum',
    ],
    ['/paths/~1books/get/parameters/0', '/paths/~1books/get/parameters/2'],
    ['/components/schemas/Book/required/0', '/components/schemas/Book/required/1'],
    ['/components/schemas/Book/allOf/1/type', '/components/schemas/Book/allOf/0/type'],
    ['/security/0', '/security/1'],
  ])('%s is %s when everything is the other way round', (at, moved) => {
    const id = (pointer: string, of: JsonValue): string =>
      findingId(
        { check: 'a-check', at: pointer, cause: 'a cause', blame: 'server', everywhere: false },
        of,
      );
    expect(id(moved, reversed(document))).toBe(id(at, document));
  });
});

test('two parameters with the same name have different ids', () => {
  expect(steadyPointer('/paths/~1books/get/parameters/1', document)).toBe(
    '/paths/~1books/get/parameters/query limit',
  );
  expect(steadyPointer('/paths/~1books/get/parameters/2', document)).toBe(
    '/paths/~1books/get/parameters/header limit',
  );
});

test.each([
  ['the check', { check: 'b-check' }],
  ['the place', { at: '/b' }],
  ['the cause', { cause: 'b' }],
  ['the blame', { blame: 'contract' as const }],
])('%s makes another id', (_name, change) => {
  const identity = {
    check: 'a-check',
    at: '/a',
    cause: 'a',
    blame: 'server' as const,
    everywhere: false,
  };
  expect(findingId({ ...identity, ...change }, document)).not.toBe(findingId(identity, document));
});

test('a finding of all operations has the same id for any first operation', () => {
  const id = (at: string): string =>
    findingId({ check: 'a-check', at, cause: 'a', blame: 'server', everywhere: true }, document);
  expect(id('/a')).toBe(id('/b'));
});
