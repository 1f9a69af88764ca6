import { expect, test } from 'vitest';
import { parseSchema } from '../../src/contract/schema/standalone-schema.ts';
import type { JsonValue } from '../../src/json/value.ts';

const text = JSON.stringify({
  type: 'object',
  additionalProperties: false,
  properties: {
    words: { type: 'array', items: { type: 'string', minLength: 2 } },
    // Leads into a member that the value need not have.
    word: { $ref: '#/properties/words/items' },
    inner: {
      type: 'object',
      required: ['size'],
      properties: { size: { type: 'integer', minimum: 1 }, other: { type: 'boolean' } },
      additionalProperties: false,
    },
  },
});

test.each<[JsonValue]>([
  [{}],
  [{ word: 'ab' }],
  [{ word: 'a' }],
  [{ words: ['ab', 'a', 1] }],
  [{ inner: {} }],
  [{ inner: { size: 0, other: 1, more: true } }],
  [{ inner: 1, more: 2 }],
  [{ inner: null }],
  [[]],
  [null],
])('%j is judged as by the whole schema where only what it reaches is compiled', (value) => {
  expect(parseSchema(text, value).validate(value, 'request')).toEqual(
    parseSchema(text).validate(value, 'request'),
  );
});

test('the known names at a place are those of the whole schema', () => {
  expect(parseSchema(text, { wrod: 'ab' }).keysAt('/additionalProperties')).toEqual([
    'words',
    'word',
    'inner',
  ]);
});
