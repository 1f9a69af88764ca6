import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { listWriter } from '../../src/mock/behaviours/list.ts';
import { recordText } from '../../src/mock/records/show/present-record.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import type { Schema } from '../../src/contract/model.ts';
import { fc } from '../property.ts';

const record = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 8 } },
};
const records = { type: 'array', items: { $ref: '#/components/schemas/Record' } };

function schemaOf(schema: JsonValue): Schema {
  const contract = makeContract({
    components: {
      schemas: {
        Record: record,
        Envelope: {
          type: 'object',
          required: ['items', 'total'],
          additionalProperties: false,
          properties: { total: { type: 'integer' }, items: records, note: { type: 'string' } },
        },
      },
    },
    paths: { '/a': { get: { responses: { 200: { description: 'ok', ...jsonContent(schema) } } } } },
  });
  const made = contract.operations[0]?.responses[0]?.content[0]?.schema;
  if (made === undefined) throw new Error('The contract has lost its schema.');
  return made;
}

const names = fc.oneof(
  fc.string({ maxLength: 9, unit: 'binary' }),
  fc.constantFrom('"', '\\', '\u2028', '\ud800', '__proto__'),
);
const made = fc
  .record(
    {
      id: fc.oneof(fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n })),
      name: names,
      more: fc.jsonValue(),
    },
    { requiredKeys: ['id'] },
  )
  .map((value) => Object.freeze(value) as unknown as JsonObject);

const places: readonly (readonly [
  name: string,
  schema: JsonValue,
  at: string,
  wrap: (items: readonly JsonObject[]) => JsonValue,
])[] = [
  ['a bare array', records, '', (items) => items],
  [
    'an envelope',
    { $ref: '#/components/schemas/Envelope' },
    '/items',
    (items) => ({ total: items.length, items, note: 'a "b"' }),
  ],
  [
    'an envelope in an envelope',
    {
      type: 'object',
      properties: { data: { $ref: '#/components/schemas/Envelope' }, 'a/b': { type: 'null' } },
    },
    '/data/items',
    (items) => ({ 'a/b': null, data: { items, total: 9007199254740993n } }),
  ],
];

describe('a list that is assembled from the texts of its records', () => {
  test.each(places)(
    'has the same bytes as the whole, in %s, and is valid if and only if that is',
    (_name, schema, at, wrap) => {
      const whole = schemaOf(schema);
      const write = listWriter(whole, at);
      fc.assert(
        fc.property(fc.array(made, { maxLength: 4 }), (items) => {
          const body = wrap(items);
          const isValid = whole.validate(body, 'response').length === 0;
          // The second time, every text is one that is remembered.
          for (const text of [write(body, items), write(body, items)])
            expect(text).toBe(isValid ? stringifyJson(body) : undefined);
        }),
      );
    },
  );

  test.each<[string, JsonValue, JsonValue, boolean]>([
    [
      'the envelope itself breaks its schema',
      { $ref: '#/components/schemas/Envelope' },
      { total: 'many', items: [{ id: 1 }] },
      false,
    ],
    [
      'it holds more than it may',
      { type: 'array', maxItems: 1, items: { $ref: '#/components/schemas/Record' } },
      [{ id: 1 }, { id: 2 }],
      false,
    ],
    [
      'as many as it may',
      { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Record' } },
      [{ id: 1 }, { id: 2 }],
      true,
    ],
    [
      'a rule speaks of all records together',
      { type: 'array', uniqueItems: true, items: { $ref: '#/components/schemas/Record' } },
      [{ id: 1 }, { id: 2 }],
      false,
    ],
    [
      'it must hold some',
      { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Record' } },
      [{ id: 1 }],
      false,
    ],
    ['the array is one of several schemas', { allOf: [records] }, [{ id: 1 }], false],
  ])('is left to be judged and written as a whole where %s', (_name, schema, body, isWritten) => {
    const at = Array.isArray(body) ? '' : '/items';
    const items = (
      Array.isArray(body) ? body : (body as JsonObject)['items']
    ) as readonly JsonObject[];
    expect(listWriter(schemaOf(schema), at)(body, items) !== undefined).toBe(isWritten);
  });
});

test('a mutable record is serialised each time', () => {
  const schema = schemaOf({ $ref: '#/components/schemas/Record' });
  const changing: { id: number } = { id: 1 };
  expect(recordText(schema, changing)).toBe('{"id":1}');
  changing.id = 2;
  expect(recordText(schema, changing)).toBe('{"id":2}');
});
