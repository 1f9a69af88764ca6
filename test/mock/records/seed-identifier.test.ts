import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { shownIdentifier } from '../../../src/mock/records/seed/seed-records.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

/**
 * What the contract shows for the identifier of a record that can be read, and changed, by its
 * code.
 */
function shown(
  schema: JsonObject,
  example: JsonValue,
  more: JsonObject = {},
): JsonValue | undefined {
  const thing = {
    type: 'object',
    required: ['code', 'size'],
    properties: { code: schema, size: { type: 'integer' } },
  };
  const answer = { responses: { 200: { description: 'ok', ...jsonContent(thing) } } };
  const [resource] = makeContract({
    paths: {
      '/things/{code}': {
        parameters: [{ name: 'code', in: 'path', required: true, schema, example }],
        get: { operationId: 'read', ...answer },
        put: { operationId: 'replace', requestBody: jsonContent(thing), ...answer },
      },
      ...Object.fromEntries(
        Object.entries(more).map(([path, method]) => [
          path,
          {
            [String(method)]: {
              operationId: 'all',
              responses: {
                200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
              },
            },
          },
        ]),
      ),
    },
  }).resources;
  if (resource === undefined) throw new Error('the contract has no resource');
  return shownIdentifier(resource);
}

test.each<[string, JsonObject, JsonValue, JsonValue | undefined]>([
  ['a text', { type: 'string' }, 'ACME', 'ACME'],
  ['a number', { type: 'integer' }, 7, 7],
  [
    'a 64-bit integer',
    { type: 'integer', format: 'int64' },
    9_007_199_254_740_993n,
    9_007_199_254_740_993n,
  ],
  ['no empty text', { type: 'string' }, '', undefined],
  ['none that its schema refuses', { type: 'string', pattern: '^[a-z]+$' }, 'ACME', undefined],
])(
  'a single record without a known identifier has that of the contract: %s',
  (_name, schema, example, expected) => {
    expect(shown(schema, example)).toBe(expected);
  },
);

test('an identifier in the list needs no example', () => {
  expect(shown({ type: 'string' }, 'ACME', { '/things': 'get' })).toBeUndefined();
});
