import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../../src/contract/model.ts';
import {
  movePointer,
  type SchemaShape,
  shapeOf,
} from '../../../src/contract/schema/flatten-schema.ts';
import { makeContract } from '../make-contract.ts';

const others: Readonly<Record<string, SchemaNode>> = {
  A: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 }, next: { $ref: 'A' } },
  },
  B: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 }, next: { $ref: 'B' } },
  },
  C: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 }, next: { $ref: 'C' } },
  },
};

function shape(node: SchemaNode, pointer = '/s'): SchemaShape | undefined {
  return shapeOf({ node, pointer }, (reference) => {
    const target = others[reference];
    if (target === undefined) throw new Error(`There is no ${reference}.`);
    return { node: target, pointer: `/others/${reference}` };
  });
}

describe('two schemas have one shape', () => {
  test.each<[string, SchemaNode, SchemaNode, boolean]>([
    ['that say the same', { minimum: 1 }, { minimum: 1 }, true],
    ['but not with another bound', { minimum: 1 }, { minimum: 2 }, false],
    [
      'however they are described',
      { minimum: 1, description: 'One.', example: 3 },
      { title: 'Two', minimum: 1 },
      true,
    ],
    ['but not where one has a default', { minimum: 1 }, { minimum: 1, default: 3 }, false],
    [
      'but not where a property has the name of a description',
      { properties: { title: { minimum: 1 } } },
      { properties: { title: { minimum: 2 } } },
      false,
    ],
    [
      'but not where a description is part of a value',
      { const: { description: 'a' } },
      { const: { description: 'b' } },
      false,
    ],
    ['that refer to such again', { items: { $ref: 'A' } }, { items: { $ref: 'B' } }, true],
    ['but not to others', { items: { $ref: 'A' } }, { items: { $ref: 'C' } }, false],
    [
      'but not where one refers twice to one, and the other once to each of two',
      { anyOf: [{ $ref: 'A' }, { $ref: 'A' }] },
      { anyOf: [{ $ref: 'A' }, { $ref: 'B' }] },
      false,
    ],
  ])('%s', (_name, left, right, same) => {
    expect(shape(left, '/left')?.hash === shape(right, '/right')?.hash).toBe(same);
  });

  test('a schema with an unresolvable reference has no shape', () => {
    expect(shape({ $ref: 'nowhere' })).toBeUndefined();
  });
});

test('the caller chooses which keywords count', () => {
  const hashOf = (node: SchemaNode): string | undefined =>
    shapeOf({ node, pointer: '/s' }, (_reference, from) => ({ node: true, pointer: from }), {
      passedOver: ['title'],
      unlike: ['discriminator'],
    })?.hash;
  expect(hashOf({ minimum: 1, title: 'One' })).toBe(hashOf({ minimum: 1 }));
  expect(hashOf({ minimum: 1, example: 1 })).not.toBe(hashOf({ minimum: 1 }));
  expect(hashOf({ items: { discriminator: { propertyName: 'kind' } } })).toBeUndefined();
});

test('a pointer is translated to an equal schema, also through references', () => {
  const [from, to] = [
    shape({ items: { $ref: 'A' } }, '/left'),
    shape({ items: { $ref: 'B' } }, '/right'),
  ].map((found) => found?.places ?? []);
  const moved = ['/left/items', '/others/A/properties/name/minLength', '/elsewhere'].map(
    (pointer) => movePointer(pointer, from ?? [], to ?? []),
  );
  expect(moved).toEqual(['/right/items', '/others/B/properties/name/minLength', '/elsewhere']);
});

test('equal schemas share one validator, and issues have their own pointers', () => {
  const record = (name: string): SchemaNode => ({
    allOf: [{ $ref: `#/components/schemas/New${name}` }, { type: 'object', required: ['id'] }],
  });
  const fields = { type: 'object', properties: { name: { type: 'string' } } };
  const responses = (name: string): object => ({
    200: {
      description: 'ok',
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    },
  });
  const contract = makeContract({
    components: {
      schemas: { NewOne: fields, NewTwo: fields, One: record('One'), Two: record('Two') },
    } as never,
    paths: {
      '/one': { get: { responses: responses('One') } },
      '/two': { get: { responses: responses('Two') } },
    } as never,
  });
  const told = contract.operations.map(({ responses: [first] }) =>
    first?.content[0]?.schema?.validate({ name: 1 }, 'response').map(({ pointer }) => pointer),
  );
  expect(told).toEqual([
    ['/components/schemas/NewOne/properties/name/type', '/components/schemas/One/allOf/1/required'],
    ['/components/schemas/NewTwo/properties/name/type', '/components/schemas/Two/allOf/1/required'],
  ]);
});
