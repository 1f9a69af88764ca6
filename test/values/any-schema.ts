import type { SchemaNode, SchemaObject } from '../../src/contract/model.ts';
import { fc } from '../property.ts';

/** Property names that are ordinary, and some that are traps. */
const names = fc.constantFrom(
  'id',
  'name',
  'email',
  'price',
  'createdAt',
  'status',
  'tags',
  'count',
  'a/b',
  'c~d',
  'constructor',
  'x y',
  '0',
);

const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 60 }));

const integers = fc
  .record({
    bounds,
    format: fc.constantFrom(undefined, 'int32', 'int64'),
    multipleOf: fc.constantFrom(undefined, 1, 3, 10),
    open: fc.boolean(),
    exclusive: fc.boolean(),
  })
  .map(({ bounds: [low, width], format, multipleOf, open, exclusive }): SchemaObject => {
    const range = exclusive
      ? { exclusiveMinimum: low - 1, exclusiveMaximum: low + width + 11 }
      : { minimum: low, maximum: low + width + 10 };
    return defined({ type: 'integer', format, multipleOf, ...(open ? {} : range) });
  });

const numbers = fc
  .record({
    bounds,
    multipleOf: fc.constantFrom(undefined, 0.01, 0.5, 2.5),
    open: fc.boolean(),
    exclusive: fc.boolean(),
  })
  .map(({ bounds: [low, width], multipleOf, open, exclusive }): SchemaObject => {
    const range = exclusive
      ? { exclusiveMinimum: low / 4, exclusiveMaximum: (low + width + 12) / 4 }
      : { minimum: low / 10, maximum: (low + width + 30) / 10 };
    return defined({ type: 'number', multipleOf, ...(open ? {} : range) });
  });

const patterns = [
  '^[a-z]+$',
  '^[A-Z]{2,5}-\\d{3}$',
  '^(foo|bar)?baz*$',
  '\\d',
  '^[^\\s]{1,20}$',
  '^\\p{Lu}\\p{Ll}+$',
  '^(?=.*\\d)[a-z\\d]{4,9}$',
];

const texts = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 20 }))
    .map(([min, width]): SchemaObject => ({
      type: 'string',
      minLength: min,
      maxLength: min + width,
    })),
  fc.constantFrom(...patterns).map((pattern): SchemaObject => ({ type: 'string', pattern })),
  fc
    .constantFrom(
      'date',
      'date-time',
      'time',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uri-reference',
      'uuid',
      'json-pointer',
      'byte',
      'password',
      'unheard-of',
    )
    .map((format): SchemaObject => ({ type: 'string', format })),
  fc.constant<SchemaObject>({ type: 'string' }),
  fc.constant<SchemaObject>({ type: 'string', format: 'email', maxLength: 30 }),
);

const lists = fc.oneof(
  fc
    .uniqueArray(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 4 })
    .map((values): SchemaObject => ({ type: 'string', enum: values })),
  fc.constantFrom<SchemaObject>(
    { enum: ['a', 1, null] },
    { const: 7 },
    { const: { a: 1 } },
    { type: 'integer', enum: [1, 2, 3] },
    { type: ['string', 'null'], enum: ['x', null] },
  ),
);

const scalars = fc.oneof(
  integers,
  numbers,
  texts,
  lists,
  fc.constantFrom<SchemaObject>(
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    { type: ['integer', 'string'] },
  ),
);

/**
 * Schemas of every shape that some value keeps. Members are not forbidden by each other, so that
 * each can be satisfied by itself.
 */
export const anySchema: fc.Arbitrary<SchemaNode> = fc.letrec<{
  node: SchemaObject;
  array: SchemaObject;
  object: SchemaObject;
  mixed: SchemaObject;
}>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    tie('object'),
    tie('array'),
    tie('mixed'),
  ),
  array: fc
    .record({
      items: tie('node'),
      min: fc.integer({ min: 0, max: 2 }),
      width: fc.integer({ min: 0, max: 3 }),
      bounded: fc.boolean(),
    })
    .map(({ items, min, width, bounded }) => ({
      type: 'array',
      items,
      ...(bounded ? { minItems: min, maxItems: min + width } : {}),
    })),
  object: fc
    .record({
      properties: fc.dictionary(names, tie('node'), { maxKeys: 5, noNullPrototype: true }),
      required: fc.subarray(['id', 'name', 'email', 'price', 'status', 'a/b']),
      closed: fc.boolean(),
    })
    .map(({ properties, required, closed }) => ({
      type: 'object',
      properties,
      ...(closed
        ? {
            additionalProperties: false,
            required: required.filter((name) => Object.hasOwn(properties, name)),
          }
        : { required }),
    })),
  mixed: fc.oneof(
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('object'), tie('array')).map(([left, right]) => ({ oneOf: [left, right] })),
    fc.tuple(tie('node')).map(([node]) => ({
      oneOf: [
        {
          type: 'object',
          required: ['only'],
          properties: { only: node },
          additionalProperties: false,
        },
        { type: 'boolean' },
      ],
    })),
    tie('node').map((node) => ({ allOf: [node, { description: 'the same' }] })),
  ),
})).node;

function defined(node: { readonly [keyword: string]: unknown }): SchemaObject {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));
}
