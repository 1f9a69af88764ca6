import { describe, expect, test } from 'vitest';
import type { FlatSchema, SchemaNode, SchemaObject } from '../../../src/contract/model.ts';
import { flattenSchema } from '../../../src/contract/schema/flatten-schema.ts';

/** Flattens a schema, in which `$ref` names one of the others. */
function flat(node: SchemaNode, others: Readonly<Record<string, SchemaNode>> = {}): FlatSchema {
  return flattenSchema({ node, pointer: '/s' }, (reference) => ({
    node: others[reference] ?? {},
    pointer: `/${reference}`,
  }));
}

describe('the narrower of two values of one keyword applies, in any order', () => {
  test.each<[SchemaObject, SchemaObject, SchemaObject]>([
    [{ minimum: 1 }, { minimum: 5 }, { minimum: 5 }],
    [{ minimum: 9007199254740993n }, { minimum: 5 }, { minimum: 9007199254740993n }],
    [{ exclusiveMinimum: 1 }, { exclusiveMinimum: 5 }, { exclusiveMinimum: 5 }],
    [{ minLength: 1 }, { minLength: 5 }, { minLength: 5 }],
    [{ minItems: 1 }, { minItems: 5 }, { minItems: 5 }],
    [{ minProperties: 1 }, { minProperties: 5 }, { minProperties: 5 }],
    [{ maximum: 1 }, { maximum: 5 }, { maximum: 1 }],
    [{ exclusiveMaximum: 1 }, { exclusiveMaximum: 5 }, { exclusiveMaximum: 1 }],
    [{ maxLength: 1 }, { maxLength: 5 }, { maxLength: 1 }],
    [{ maxItems: 1 }, { maxItems: 5 }, { maxItems: 1 }],
    [{ maxProperties: 1 }, { maxProperties: 5 }, { maxProperties: 1 }],
    [{ uniqueItems: true }, { uniqueItems: false }, { uniqueItems: true }],
    [{ readOnly: true }, { readOnly: false }, { readOnly: true }],
    [{ writeOnly: true }, { writeOnly: false }, { writeOnly: true }],
    [{ enum: [1, 2, 3] }, { enum: [2, 3] }, { enum: [2, 3] }],
    [{ type: ['string', 'null'] }, { type: 'string' }, { type: ['string'] }],
    [{ type: 'integer' }, { type: 'number' }, { type: ['integer'] }],
    [{ type: ['number', 'null'] }, { type: 'integer' }, { type: ['integer'] }],
    [{ type: 'integer' }, { type: ['integer', 'null'] }, { type: ['integer'] }],
    [{ type: 'integer' }, { type: 'string' }, { type: [] }],
    [{ type: 'number' }, { type: 'string' }, { type: [] }],
    [
      { additionalProperties: false },
      { additionalProperties: true },
      { additionalProperties: false },
    ],
  ])('%o and %o', (left, right, expected) => {
    expect(flat({ allOf: [left, right] }).node).toMatchObject(expected);
    expect(flat({ allOf: [right, left] }).node).toMatchObject(expected);
  });

  test('names and members are merged; the first of two conflicting keywords wins', () => {
    const { node, required, properties } = flat({
      allOf: [
        { required: ['a'], properties: { a: { type: 'string' } }, format: 'one' },
        { required: ['b', 'a'], properties: { a: { type: 'integer' }, b: true }, format: 'two' },
      ],
    });
    expect(node).toMatchObject({
      required: ['a', 'b'],
      format: 'one',
      properties: { a: { type: 'string' }, b: true },
    });
    expect([...required]).toEqual(['a', 'b']);
    expect(Object.fromEntries(properties)).toEqual({
      a: { node: { type: 'string' }, pointer: '/s/allOf/0/properties/a' },
      b: { node: true, pointer: '/s/allOf/1/properties/b' },
    });
  });
});

describe('the types that a schema accepts', () => {
  test.each<[SchemaNode, readonly string[]]>([
    [{ type: 'string' }, ['string']],
    [{ type: ['string', 'null'] }, ['string', 'null']],
    [{ properties: {} }, ['object']],
    [{ items: {} }, ['array']],
    [
      { enum: [null, 'a', 1, 1.5, 2n, true, [], {}] as unknown as readonly string[] },
      ['null', 'string', 'integer', 'number', 'boolean', 'array', 'object'],
    ],
    [{ const: 1.5 }, ['number']],
    [{ type: 'string', enum: [1] }, ['string']],
    [{}, ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']],
    [true, ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']],
  ])('%o', (node, expected) => {
    expect(flat(node).types).toEqual(expected);
  });
});

describe('the pointers of a schema', () => {
  test.each<[string, SchemaNode, string, SchemaObject]>([
    ['a schema of its own', { type: 'string' }, '/s', { type: 'string' }],
    ['a reference alone is what it names', { $ref: 'other' }, '/other', { minLength: 1 }],
    [
      'a reference with a word of its own is read with it',
      { $ref: 'other', maxLength: 3 },
      '/s',
      { minLength: 1, maxLength: 3 },
    ],
    ['a reference to itself ends', { $ref: 'loop' }, '/loop', { title: 'loop' }],
    [
      'what is no list of schemas says nothing',
      { allOf: 'x', type: 'string' } as unknown as SchemaNode,
      '/s',
      { type: 'string' },
    ],
  ])('%s', (_name, node, pointer, expected) => {
    const view = flat(node, {
      other: { minLength: 1 },
      loop: { title: 'loop', allOf: [{ $ref: 'loop' }] },
    });
    expect(view.pointer).toBe(pointer);
    expect(view.node).toEqual(expected);
  });
});

describe('an open object', () => {
  const members = (node: SchemaObject): string[] => [...flat(node).properties.keys()];

  test('has the members that its example shows', () => {
    const open = { type: 'object', additionalProperties: { type: 'string' } } as const;
    expect(members({ ...open, example: { email: 'a@b.example', city: 'Bern' } })).toEqual([
      'email',
      'city',
    ]);
    expect(members({ ...open, examples: [{ email: 'a@b.example' }] })).toEqual(['email']);
    expect(members(open)).toEqual([]);
    expect(members({ ...open, example: 'none' })).toEqual([]);
  });

  test('with members of its own has no others', () => {
    const properties = { name: { type: 'string' } } as const;
    const others = { type: 'string' } as const;
    const node = { properties, additionalProperties: others, example: { city: 'Bern' } };
    expect(members({ type: 'object', ...node })).toEqual(['name']);
  });
});
