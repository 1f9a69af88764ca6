import { describe, expect, test } from 'vitest';
import type { Direction, SchemaNode } from '../../src/contract/model.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { makeSchema } from './make-schema.ts';

interface Choice {
  readonly seed?: string | number;
  readonly direction?: Direction;
  readonly required?: 'all' | 'only';
}

function plain(
  node: SchemaNode,
  { seed = 1, direction = 'request', ...rest }: Choice = {},
): JsonValue {
  const made = plainValue(makeSchema(node), { seed, direction, ...rest });
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

function reason(node: SchemaNode): string {
  const made = plainValue(makeSchema(node), { seed: 1, direction: 'request' });
  return made.ok ? 'a value was made' : made.reason;
}

const account: SchemaNode = {
  type: 'object',
  required: ['id', 'firstName', 'email', 'secret'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    firstName: { type: 'string' },
    email: { type: 'string', format: 'email' },
    secret: { type: 'string', writeOnly: true, minLength: 8 },
    status: { type: 'string', enum: ['active', 'closed'] },
    createdAt: { type: 'string', format: 'date-time' },
    price: { type: 'number', minimum: 0 },
    old: { type: 'string', deprecated: true },
    address: {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string' }, zipCode: { type: 'string' } },
    },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

describe('a plain value', () => {
  test('has no zeros in front where its pattern asks for a number in digits only', () => {
    const texts = (pattern: string): string[] =>
      Array.from({ length: 200 }, (_, seed) =>
        String(plain({ type: 'string', pattern }, { seed })),
      );
    expect(texts('^[0-9]+$').filter((text) => !/^(?:0|[1-9][0-9]*)$/.test(text))).toEqual([]);
    expect(texts('^\\d{6}$').filter((text) => text.length !== 6)).toEqual([]);
  });

  test('is an object with typical members', () => {
    expect(plain(account)).toMatchInlineSnapshot(`
      {
        "createdAt": "2024-05-28T10:23:00Z",
        "email": "yuki.walsh492@example.com",
        "firstName": "Yuki",
        "price": 85.69,
        "secret": "Quiet-River-6132",
        "status": "active",
      }
    `);
  });

  test('has only required members on request', () => {
    expect(plain(account, { required: 'only' })).toMatchInlineSnapshot(`
      {
        "email": "yuki.walsh492@example.com",
        "firstName": "Yuki",
        "secret": "Quiet-River-6132",
      }
    `);
  });

  test('has all members on request', () => {
    expect(plain(account, { required: 'all' })).toMatchInlineSnapshot(`
      {
        "address": {
          "city": "Leeds",
          "zipCode": "LS1 4AP",
        },
        "createdAt": "2024-05-28T10:23:00Z",
        "email": "yuki.walsh492@example.com",
        "firstName": "Yuki",
        "old": "opal",
        "price": 85.69,
        "secret": "Quiet-River-6132",
        "status": "active",
        "tags": [
          "north",
        ],
      }
    `);
  });

  test('differs for another seed, and is equal for the same', () => {
    expect(plain(account, { seed: 2 })).not.toEqual(plain(account, { seed: 1 }));
    expect(plain(account, { seed: 2 })).toEqual(plain(account, { seed: '2' }));
  });
});

describe('the direction of a plain value', () => {
  test('leaves readOnly out of requests and writeOnly out of responses', () => {
    expect(Object.keys(plain(account, { required: 'only' }) as object)).toEqual([
      'firstName',
      'email',
      'secret',
    ]);
    expect(
      Object.keys(plain(account, { required: 'only', direction: 'response' }) as object),
    ).toEqual(['id', 'firstName', 'email']);
  });
});

describe('examples of the contract come first', () => {
  test.each<[string, SchemaNode, JsonValue]>([
    ['an example', { type: 'string', examples: ['Rex'], default: 'Ada' }, 'Rex'],
    [
      'the next example where the first is not valid',
      { type: 'string', examples: ['x', 'Rex'], minLength: 2 },
      'Rex',
    ],
    [
      'no example of another type',
      { type: 'integer', examples: ['Rex'], minimum: 5, maximum: 5 },
      5,
    ],
    ['`example`, as 3.0 has it', { type: 'string', example: 'Rex' }, 'Rex'],
    ['a default', { type: 'integer', default: 20, maximum: 100 }, 20],
    [
      'not a default of null',
      { type: ['integer', 'null'], default: null, minimum: 7, maximum: 7 },
      7,
    ],
    ['an example of null', { type: ['string', 'null'], example: null }, null],
    [
      'what is encoded as the schema says',
      { type: 'string', contentEncoding: 'base64url', minLength: 8 },
      'YWFhYWFh',
    ],
    ['a const', { const: { a: [1] } }, { a: [1] }],
    ['the first of an enum', { enum: ['b', 'a'] }, 'b'],
    ['not null, though an enum begins with it', { enum: [null, 'a'] }, 'a'],
    ['null, where there is nothing else', { enum: [null] }, null],
    ['what both enums list', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, 'b'],
    [
      'an example of the whole',
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        examples: [{ a: 1, c: [2] }],
      },
      { a: 1, c: [2] },
    ],
    [
      'an example that stands behind a reference',
      { $ref: '#/$defs/Name', $defs: { Name: { type: 'string', examples: ['Rex'] } } },
      'Rex',
    ],
  ])('%s', (_what, node, expected) => {
    expect(plain(node)).toEqual(expected);
  });

  test('without readOnly members, and with missing required ones', () => {
    const node: SchemaNode = {
      type: 'object',
      required: ['id', 'name', 'size'],
      properties: {
        id: { type: 'integer', readOnly: true },
        name: { type: 'string' },
        size: { const: 3 },
      },
      examples: [{ id: 5, name: 'Rex' }],
    };
    expect(plain(node)).toEqual({ name: 'Rex', size: 3 });
  });
});

describe('a plain value observes bounds', () => {
  test.each<[SchemaNode, JsonValue]>([
    [{ type: 'integer', exclusiveMinimum: 6, exclusiveMaximum: 8 }, 7],
    [{ type: 'integer', multipleOf: 50, minimum: 101, maximum: 199 }, 150],
    [{ type: 'number', multipleOf: 0.1, minimum: 0.3, maximum: 0.3 }, 0.3],
    [
      { type: 'integer', minimum: 9007199254740993n, maximum: 9007199254740993n },
      9007199254740993n,
    ],
    [{ type: 'array', minItems: 2, maxItems: 2, items: { const: 'x' } }, ['x', 'x']],
    [{ type: 'array', uniqueItems: true, minItems: 3, items: { enum: [1, 2, 3] } }, [1, 2, 3]],
    [
      { type: 'array', uniqueItems: true, minItems: 2, maxItems: 9, items: { type: 'boolean' } },
      [true, false],
    ],
    [
      {
        type: 'array',
        uniqueItems: true,
        minItems: 4,
        items: {
          type: 'object',
          required: ['left', 'right'],
          properties: { left: { enum: ['a', 'b'] }, right: { type: 'boolean' } },
        },
      },
      [
        { left: 'a', right: true },
        { left: 'b', right: true },
        { left: 'a', right: false },
        { left: 'b', right: false },
      ],
    ],
    [{ type: 'array', prefixItems: [{ const: 1 }, { const: 'a' }], items: false }, [1, 'a']],
    [
      {
        type: 'array',
        contains: { const: 9 },
        minItems: 1,
        items: { type: 'integer', maximum: 9, minimum: 9 },
      },
      [9],
    ],
    [
      { type: 'object', additionalProperties: { const: 1 }, minProperties: 2 },
      { amber: 1, birch: 1 },
    ],
    [
      {
        type: 'object',
        patternProperties: { '^x-\\d$': { const: 1 } },
        additionalProperties: false,
        minProperties: 1,
      },
      { 'x-4': 1 },
    ],
    [
      {
        type: 'object',
        properties: { a: { const: 1 } },
        dependentRequired: { a: ['c'] },
        additionalProperties: { const: 3 },
      },
      { a: 1, c: 3 },
    ],
    [
      { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1 },
      { a: 1 },
    ],
    [
      {
        type: 'object',
        propertyNames: { pattern: '^[A-Z]$' },
        minProperties: 1,
        additionalProperties: { const: 1 },
      },
      { P: 1 },
    ],
  ])('%o', (node, expected) => {
    expect(plain(node)).toEqual(expected);
  });

  test('lengths are counted in code points', () => {
    expect(plain({ type: 'string', enum: ['😀😀😀', 'ab'], minLength: 3 })).toBe('😀😀😀');
  });
});

describe('texts match their format', () => {
  test.each<[string, SchemaNode, RegExp]>([
    ['email', { type: 'string', format: 'email', maxLength: 6 }, /^.@b\.co$/],
    ['website', { type: 'string', format: 'uri', maxLength: 19 }, /^https?:\/\//],
    ['lastName', { type: 'string' }, /^[A-Z][a-z]+$/],
    ['createdAt', { type: 'string' }, /^2024-\d\d-\d\dT/],
    ['birthDate', { type: 'string', format: 'date' }, /^19\d\d-/],
    ['code', { type: 'string', pattern: '^[A-Z]{3}$' }, /^[A-Z]{3}$/],
    ['code', { type: 'string', pattern: '^[a-z]+$', minLength: 12, maxLength: 12 }, /^[a-z]{12}$/],
    ['password', { type: 'string', format: 'password', minLength: 20 }, /^.{20,}$/],
    ['token', { type: 'string', format: 'byte' }, /^[A-Za-z0-9+/]+=*$/],
    ['anything', {}, /^[a-z]+$/],
  ])('%s: %j', (name, node, expected) => {
    const value = plain({ type: 'object', required: [name], properties: { [name]: node } }) as {
      readonly [name: string]: JsonValue;
    };
    expect(value[name]).toMatch(expected);
  });
});

describe('branches in plain values', () => {
  const two: SchemaNode = {
    oneOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Cash' }],
    discriminator: { propertyName: 'kind', mapping: { plastic: '#/$defs/Card' } },
    $defs: {
      Card: {
        type: 'object',
        required: ['kind', 'number'],
        properties: { kind: { type: 'string' }, number: { const: '4111' } },
      },
      Cash: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        maxProperties: 1,
      },
    },
  };

  test.each<[string, SchemaNode, JsonValue]>([
    [
      'the first is taken, and the discriminator names it',
      two,
      { kind: 'plastic', number: '4111' },
    ],
    [
      'the next, where no value keeps the first',
      { oneOf: [{ type: 'string', minLength: 5, maxLength: 4 }, { const: 1 }] },
      1,
    ],
    ['not null, though it comes first', { anyOf: [{ type: 'null' }, { const: 1 }] }, 1],
    [
      'what stands around them is kept',
      { type: 'integer', minimum: 5, oneOf: [{ maximum: 3 }, { maximum: 5 }] },
      5,
    ],
    [
      'the one that an example means',
      {
        oneOf: [
          { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
          { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } },
        ],
        examples: [{ b: 7 }],
      },
      { b: 7 },
    ],
    [
      'members that cannot stand together are not',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { const: 2 } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      { a: 1 },
    ],
    [
      'a condition is met',
      {
        type: 'object',
        properties: { kind: { const: 'x' } },
        required: ['kind'],
        if: { properties: { kind: { const: 'x' } } },
        then: { required: ['size'], properties: { size: { const: 2 } } },
      },
      { kind: 'x', size: 2 },
    ],
    [
      'allOf is one schema',
      {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 4 } } },
          { properties: { a: { maximum: 4 } } },
        ],
      },
      { a: 4 },
    ],
  ])('%s', (_what, node, expected) => {
    expect(plain(node)).toEqual(expected);
  });
});

describe('recursion in plain values ends', () => {
  const tree: SchemaNode = {
    $ref: '#/$defs/Node',
    $defs: {
      Node: {
        type: 'object',
        required: ['value', 'children'],
        properties: {
          value: { const: 1 },
          children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          parent: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
        },
      },
    },
  };

  test('where it may', () => {
    expect(plain(tree)).toEqual({ value: 1, children: [] });
  });

  test('and includes one level if all members are requested', () => {
    const leaf = { value: 1, children: [], parent: null };
    expect(plain(tree, { required: 'all' })).toEqual({ value: 1, children: [leaf], parent: leaf });
  });

  test('at the end of an example', () => {
    const shown = { value: 1, children: [{ value: 1, children: [{ value: 1, children: [] }] }] };
    expect(plain({ ...tree, examples: [shown] })).toEqual(shown);
  });
});

describe('the reason why there is no value names the rule', () => {
  const impossible: readonly SchemaNode[] = [
    {
      $ref: '#/$defs/Node',
      $defs: {
        Node: {
          type: 'object',
          required: ['next'],
          properties: { next: { $ref: '#/$defs/Node' } },
        },
      },
    },
    { type: 'object', required: ['a'], properties: { a: false } },
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer', minimum: 5, maximum: 4 } },
    },
    { type: 'string', minLength: 5, maxLength: 4 },
    { type: 'string', pattern: '^\\p{Script=Greek}+$' },
    { type: 'array', uniqueItems: true, minItems: 4, items: { enum: [1, 2, 3] } },
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'string', pattern: '^a$', not: { const: 'a' } },
    { type: 'string', minLength: 1_000_000 },
  ];

  test('and its place', () => {
    expect(impossible.map(reason)).toMatchInlineSnapshot(`
      [
        "no value was found that keeps #/$defs/Node/properties/next: it
        ↳ requires itself, without end",
        "no value was found that keeps #/properties/a: it forbids the
        ↳ property a, which another rule requires",
        "no value was found that keeps #/properties/a/minimum: its bounds leave no number",
        "no value was found that keeps #/minLength: it is greater than maxLength",
        "no value was found that keeps #/pattern: no text could be written
        ↳ that matches it and has the right length",
        "no value was found that keeps #/uniqueItems: not enough items could be made",
        "no value was found that keeps #: no value satisfies all rules here",
        "no value was found that keeps #/not: the value must NOT be valid",
        "no value was found that keeps #/minLength: texts of more than
        ↳ 100000 characters are not made",
      ]
    `);
  });
});

describe('forms of a discriminator’s mapping', () => {
  const animals = (base: SchemaNode, mapping: Record<string, string>): SchemaNode => ({
    $ref: '#/$defs/Animal',
    $defs: {
      Animal: {
        type: 'object',
        required: ['kind', 'name'],
        properties: { kind: { type: 'string' }, name: { type: 'string' } },
        discriminator: { propertyName: 'kind', mapping },
        ...(base as object),
      },
      Cat: {
        allOf: [
          { $ref: '#/$defs/Animal' },
          {
            type: 'object',
            required: ['lives'],
            properties: { lives: { type: 'integer', const: 9 } },
          },
        ],
      },
      Dog: {
        allOf: [
          { $ref: '#/$defs/Animal' },
          {
            type: 'object',
            required: ['breed'],
            properties: { breed: { type: 'string', const: 'pug' } },
          },
        ],
      },
    },
  });
  const both = { dog: '#/$defs/Dog', cat: '#/$defs/Cat' };

  test('the first has its own members, and is named', () => {
    expect(plain(animals({}, both))).toMatchObject({ kind: 'dog', breed: 'pug' });
  });

  test('a requested form is used', () => {
    const made = plain({
      ...(animals({}, { ...both, animal: '#/$defs/Animal' }) as object),
      $ref: '#/$defs/Cat',
    });
    expect(made).toMatchObject({ kind: 'cat', lives: 9 });
    expect(made).not.toHaveProperty('breed');
  });

  test('each of them is an edge of the schema', () => {
    const edges = boundaryValues(makeSchema(animals({}, both)), 'request').filter(
      ({ valueClass }) => valueClass === 'branch',
    );
    expect(edges.map(({ value }) => value)).toEqual([
      expect.objectContaining({ kind: 'cat', lives: 9 }),
    ]);
  });

  test.each<[string, SchemaNode, Record<string, string>]>([
    ['a base that is closed', { additionalProperties: false }, both],
    ['a mapping that leads nowhere', {}, { dog: '#/$defs/Hound' }],
    [
      'forms that nothing can keep',
      {
        properties: {
          kind: { type: 'string' },
          name: { type: 'string' },
          breed: false,
          lives: false,
        },
      },
      both,
    ],
  ])('%s is made as it stands', (_name, base, mapping) => {
    expect(plain(animals(base, mapping))).toMatchObject({
      kind: expect.any(String) as string,
      name: expect.any(String) as string,
    });
  });
});
