import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Direction, Schema } from '../../src/contract/model.ts';
import { jsonContent, makeContract } from './make-contract.ts';
import { fc } from '../property.ts';

function schemaOf(schema: JsonValue, members: JsonObject = {}): Schema {
  const contract = makeContract({
    ...members,
    paths: {
      '/things': {
        post: { requestBody: jsonContent(schema), responses: { 200: { description: 'ok' } } },
      },
    },
  });
  const found = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (found === undefined) throw new Error('the test has no schema');
  return found;
}

function complaints(
  schema: JsonValue,
  value: JsonValue,
  direction: Direction = 'request',
  members: JsonObject = {},
): string[] {
  return schemaOf(schema, members)
    .validate(value, direction)
    .map((issue) => `${issue.at || '(root)'} ${issue.message}`);
}

describe('an issue states what the value must be', () => {
  test.each<[string, JsonValue, JsonValue, string[]]>([
    ['type', { type: 'integer' }, '5', ['(root) must be an integer, but is a string']],
    [
      'several types',
      { type: ['string', 'null'] },
      5,
      ['(root) must be one of a string, null, but is an integer'],
    ],
    ['enum', { enum: ['a', 'b'] }, 'c', ['(root) must be one of a, b']],
    ['const', { const: 1 }, 2, ['(root) must be 1']],
    ['required', { required: ['name'] }, {}, ['(root) must have the property name']],
    [
      'closed objects',
      { properties: { a: true }, additionalProperties: false },
      { b: 1 },
      ['(root) must not have the property b, which the contract does not name'],
    ],
    ['minimum', { minimum: 1 }, 0, ['(root) must be 1 or more']],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, 3, ['(root) must be less than 3']],
    ['length', { minLength: 2 }, 'x', ['(root) must have 2 characters or more']],
    ['items', { maxItems: 1 }, [1, 2], ['(root) must have 1 item or fewer']],
    [
      'an item too many',
      { prefixItems: [true], items: false },
      [1, 2],
      ['(root) must have no more items than the contract lists'],
    ],
    [
      'an item too many, beside a reference',
      { allOf: [{ prefixItems: [true] }], unevaluatedItems: false },
      [1, 2],
      ['(root) must have no more items than the contract lists'],
    ],
    [
      'contains',
      { contains: { const: 1 }, minContains: 2 },
      [1],
      ['(root) must have as many items matching `contains` as the contract requires'],
    ],
    [
      'names',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      [
        '(root) must have 1 character or fewer',
        '(root) must not have the property ab, because of its name',
      ],
    ],
    [
      'what goes together',
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1, c: 1 },
      ['(root) must have the property b, which another of its properties requires'],
    ],
    [
      'a consequence',
      { if: { const: 1 }, then: { type: 'string' } },
      1,
      [
        '(root) must be a string, but is an integer',
        '(root) must match the `then` or `else` schema that its `if` selects',
      ],
    ],
    ['format', { type: 'string', format: 'uuid' }, 'no', ['(root) must have the format uuid']],
    ['pattern', { pattern: '^a$' }, 'b', ['(root) must match the pattern ^a$']],
    [
      'all faults at once',
      { properties: { a: { type: 'string' } }, required: ['b'] },
      { a: 1 },
      ['(root) must have the property b', '/a must be a string, but is an integer'],
    ],
    [
      'oneOf without the dislikes of its branches',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      1,
      [
        '(root) must match exactly one of the 2 alternatives, but is an integer ' +
          'that matches none',
      ],
    ],
    [
      'oneOf whose alternatives overlap',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      [
        '(root) must match exactly one of the 2 alternatives, but is an integer ' +
          'that matches several',
      ],
    ],
    [
      'a false schema',
      { properties: { a: false } },
      { a: 1 },
      ['/a must not be present, or must not match the schema under `not`'],
    ],
    [
      'a property of every object that the value does not have',
      { properties: { constructor: { type: 'array' } } },
      {},
      [],
    ],
    [
      'a required property that only the prototype has',
      { required: ['toString'] },
      {},
      ['(root) must have the property toString'],
    ],
    [
      'a keyword that cannot mean anything, beside one that can',
      { exclusiveMaximum: true, required: 'name', maximum: 5 },
      6,
      ['(root) must be 5 or less'],
    ],
    [
      'what an `if` alone looked at, which is named',
      { if: { properties: { a: true } }, unevaluatedProperties: false },
      { a: 1, b: 1 },
      ['(root) must not have the property b, which the contract does not name'],
    ],
    [
      'an `if` alone asks nothing',
      { if: { properties: { a: true } }, unevaluatedProperties: false },
      {},
      [],
    ],
    ['a kept schema', { type: 'object' }, {}, []],
  ])('%s', (_name, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });
});

test.each([
  ['2024-02-29T10:00:00Z', true],
  ['2024-02-29T10:00:00.5+05:30', true],
  ['2024-02-29T10:00:00.000+0000', false],
  ['2024-02-29T10:00:00+00', false],
])('%s is a date-time of RFC 3339: %s', (text, is) => {
  const issues = schemaOf({ type: 'string', format: 'date-time' }).validate(text, 'request');
  expect(issues.length === 0).toBe(is);
});

describe('a decimal is a multiple as it is written', () => {
  test.each<[number, readonly number[], readonly number[]]>([
    [0.01, [143.48, 4.02, 291215.84, 484568300.53, 12345678901.23, -0.29, 1e-2, 0], [1.005, 1e-3]],
    [0.000001, [51.507351, -0.127758, 179.999999], [51.5073512]],
    [1e-8, [21000000.00000001, 3e-8, 16.43823225], [1e-9, 0.000000015]],
    [0.1, [0.1 + 0.2, 1.1 * 3, 0.7 + 0.1], [0.35, 0.3000001]],
    [3, [9, 9e15, -3], [10, 3.5]],
    [1.5, [4.5, 3], [4]],
  ])('of %s', (multipleOf, right, wrong) => {
    for (const [values, count] of [
      [right, 0],
      [wrong, 1],
    ] as const)
      for (const value of values)
        expect([value, complaints({ multipleOf }, value).length]).toEqual([value, count]);
  });

  test('at every amount of cents', () => {
    const amount = schemaOf({ multipleOf: 0.01 });
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        expect(amount.accepts(Number(`${String(cents)}e-2`), 'request')).toBe(true);
        expect(amount.accepts(Number(`${String(cents)}5e-3`), 'request')).toBe(false);
      }),
    );
  });
});

describe('integers are validated exactly', () => {
  const beyond = 9007199254740993n;
  test.each<[string, JsonValue, JsonValue, boolean]>([
    ['int64 takes the greatest', { type: 'integer', format: 'int64' }, 9223372036854775807n, true],
    ['int64 refuses one more', { type: 'integer', format: 'int64' }, 9223372036854775808n, false],
    ['int64 takes the least', { type: 'integer', format: 'int64' }, -9223372036854775808n, true],
    ['int32 refuses 2^31', { type: 'integer', format: 'int32' }, 2147483648, false],
    ['int32 takes 2^31-1', { type: 'integer', format: 'int32' }, 2147483647, true],
    ['an integer beyond 2^53 is an integer', { type: 'integer' }, beyond, true],
    ['and a number', { type: 'number' }, beyond, true],
    ['but no string', { type: 'string' }, beyond, false],
    ['enum', { enum: [beyond] }, beyond + 1n, false],
    ['enum keeps', { enum: [beyond] }, beyond, true],
    ['a small value under an enum of great ones', { enum: [beyond, 'a'] }, 'b', false],
    ['and one that it names', { enum: [beyond, 'a'] }, 'a', true],
    [
      'the double that a great enum value would be rounded to',
      { enum: [beyond] },
      9007199254740992,
      false,
    ],
    [
      'the double that a great const would be rounded to',
      { const: beyond },
      9007199254740992,
      false,
    ],
    ['a small value under a great maximum', { type: 'integer', maximum: beyond }, 5, true],
    ['const', { const: beyond }, beyond - 1n, false],
    ['maximum', { type: 'integer', maximum: beyond }, beyond + 1n, false],
    ['maximum keeps', { type: 'integer', maximum: beyond }, beyond, true],
    ['multipleOf', { type: 'integer', multipleOf: 2 }, beyond, false],
    ['a great multipleOf and a small value', { type: 'integer', multipleOf: beyond }, 5, false],
    ['a great multipleOf and zero', { type: 'integer', multipleOf: beyond }, 0, true],
    [
      'a great multipleOf and twice as much',
      { type: 'integer', multipleOf: beyond },
      2n * beyond,
      true,
    ],
    ['a multipleOf with a fraction', { type: 'number', multipleOf: 1.5 }, beyond, true],
    [
      'a multipleOf with a fraction, and one more',
      { type: 'number', multipleOf: 1.5 },
      beyond + 1n,
      false,
    ],
    [
      'a small value beside a great one',
      { properties: { price: { multipleOf: 0.01 } } },
      { id: beyond, price: 0.015 },
      false,
    ],
    [
      'a small value beside a great one, as a computation leaves it',
      { properties: { price: { multipleOf: 0.1 } } },
      { id: beyond, price: 0.1 + 0.2 },
      true,
    ],
    ['minimum', { minimum: beyond }, beyond - 1n, false],
    ['minimum keeps', { minimum: beyond }, beyond, true],
    ['exclusiveMinimum', { exclusiveMinimum: beyond }, beyond, false],
    ['exclusiveMinimum keeps', { exclusiveMinimum: beyond }, beyond + 1n, true],
    ['exclusiveMaximum', { exclusiveMaximum: beyond }, beyond, false],
    ['exclusiveMaximum keeps', { exclusiveMaximum: beyond }, beyond - 1n, true],
    [
      'within an object',
      { properties: { id: { type: 'integer', maximum: 5 } } },
      { id: beyond },
      false,
    ],
    [
      'within an object, and kept',
      { properties: { id: { type: 'integer' } } },
      { id: beyond },
      true,
    ],
    [
      'beside null, a list and an object',
      {
        properties: {
          id: { type: 'integer' },
          none: { type: 'null' },
          list: { type: 'array' },
          inner: { type: 'object' },
        },
      },
      { id: beyond, none: null, list: [beyond], inner: { id: beyond } },
      true,
    ],
    [
      'beside a list that should be null',
      { properties: { list: { type: 'null' } } },
      { list: [beyond] },
      false,
    ],
    [
      'beside a list that should be an object',
      { properties: { list: { type: 'object' } } },
      { list: [beyond] },
      false,
    ],
    [
      'beside an object that should be a list',
      { properties: { inner: { type: 'array' } } },
      { inner: { id: beyond } },
      false,
    ],
    ['within a list, and kept', { items: { type: 'integer' } }, [1, beyond], true],
    ['int64 refuses a fraction', { type: 'number', format: 'int64' }, 1.5, false],
    ['int64 takes a double beyond 2^53', { type: 'number', format: 'int64' }, 2 ** 62, true],
    ['int64 refuses a double beyond 2^63', { type: 'number', format: 'int64' }, 2 ** 63, false],
  ])('%s', (_name, schema, value, kept) => {
    expect(complaints(schema, value).length === 0).toBe(kept);
  });

  test('the issue has the actual value', () => {
    expect(complaints({ type: 'string' }, beyond)).toEqual([
      '(root) must be a string, but is an integer',
    ]);
  });

  test('the issue names the keyword of the contract', () => {
    expect(schemaOf({ type: 'integer', maximum: 5 }).validate(beyond, 'request')).toMatchObject([
      { keyword: 'maximum', pointer: expect.stringMatching(/schema\/maximum$/) as string },
    ]);
  });
});

describe('readOnly and writeOnly follow the direction', () => {
  const schema = {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
    },
  };
  test.each<[Direction, JsonObject, string[]]>([
    ['request', { secret: 'x' }, []],
    ['request', { id: 1 }, ['(root) must have the property secret']],
    ['response', { id: 1 }, []],
    [
      'response',
      { id: 1, secret: 'x' },
      ['(root) must not show secret, which the contract marks writeOnly'],
    ],
    ['response', {}, ['(root) must have the property id']],
  ])('%s %j', (direction, value, expected) => {
    expect(complaints(schema, value, direction)).toEqual(expected);
  });

  test('readOnly behind a reference counts too', () => {
    const members = { components: { schemas: { Id: { type: 'integer', readOnly: true } } } };
    expect(
      complaints(
        { required: ['id'], properties: { id: { $ref: '#/components/schemas/Id' } } },
        {},
        'request',
        members,
      ),
    ).toEqual([]);
  });
});

describe('schemas of OpenAPI 3.0 mean what 3.0 says', () => {
  const old = { openapi: '3.0.3', components: { schemas: { Word: { type: 'string' } } } };
  test.each<[string, JsonValue, JsonValue, boolean]>([
    ['nullable', { type: 'string', nullable: true }, null, true],
    ['nullable with an enum', { type: 'string', nullable: true, enum: ['a'] }, null, true],
    ['not nullable', { type: 'string' }, null, false],
    [
      'a boolean exclusiveMinimum',
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      1,
      false,
    ],
    ['and inside it', { type: 'integer', minimum: 1, exclusiveMinimum: true }, 2, true],
    [
      'in a property',
      { type: 'object', properties: { a: { type: 'string', nullable: true } } },
      { a: null },
      true,
    ],
    [
      'in the items of a list',
      { type: 'array', items: { type: 'string', nullable: true } },
      [null],
      true,
    ],
    [
      'in an alternative',
      { anyOf: [{ type: 'integer' }, { type: 'string', nullable: true }] },
      null,
      true,
    ],
    [
      'nothing, beside a reference',
      { $ref: '#/components/schemas/Word', maxLength: 1 },
      'word',
      true,
    ],
  ])('%s', (_name, schema, value, kept) => {
    expect(complaints(schema, value, 'request', old).length === 0).toBe(kept);
  });
});

describe('references in schemas', () => {
  test('recursion is validated at every depth', () => {
    const members = {
      components: {
        schemas: {
          Node: {
            type: 'object',
            properties: { next: { $ref: '#/components/schemas/Node' }, value: { type: 'integer' } },
          },
        },
      },
    };
    expect(
      complaints(
        { $ref: '#/components/schemas/Node' },
        { next: { next: { value: 'x' } } },
        'request',
        members,
      ),
    ).toEqual(['/next/next/value must be an integer, but is a string']);
  });

  test('what a reference names is evaluated beside alternatives', () => {
    const schema = schemaOf(
      {
        $ref: '#/components/schemas/Parent',
        oneOf: ['card', 'iban'].map((name) => ({ required: [name], properties: { [name]: true } })),
        unevaluatedProperties: false,
      },
      { components: { schemas: { Parent: { properties: { id: { type: 'string' } } } } } },
    );
    const isValid = (value: JsonObject): boolean => schema.validate(value, 'request').length === 0;
    expect(isValid({ id: '1', card: 'x' })).toBe(true);
    expect(isValid({ id: '1', iban: 'x' })).toBe(true);
    expect(isValid({ id: '1', iban: 'x', more: 1 })).toBe(false);
  });

  test('a circle of two thousand schemas is compiled', () => {
    const count = 2_000;
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `S${String(index)}`,
        {
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            next: { $ref: `#/components/schemas/S${String((index + 1) % count)}` },
          },
        },
      ]),
    );
    const schema = schemaOf({ $ref: '#/components/schemas/S0' }, { components: { schemas } });
    expect(schema.validate({ id: 1, next: { id: 2 } }, 'request')).toEqual([]);
    expect(schema.validate({ id: 1, next: { id: 'x' } }, 'request')).toHaveLength(1);
  });

  test('an issue has the pointer of the rule, not of the reference to it', () => {
    const members = { components: { schemas: { 'A/b': { type: 'integer' } } } };
    expect(
      schemaOf({ properties: { a: { $ref: '#/components/schemas/A~1b' } } }, members).validate(
        { a: 'x' },
        'request',
      )[0]?.pointer,
    ).toBe('/components/schemas/A~1b/type');
  });

  test('branches of oneOf that are references are not reported one by one', () => {
    const members = {
      components: {
        schemas: {
          Cat: { type: 'object', required: ['meow'] },
          Dog: { type: 'object', required: ['bark'] },
        },
      },
    };
    expect(
      complaints(
        { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
        {},
        'request',
        members,
      ),
    ).toHaveLength(1);
  });

  const choice = (...names: string[]): JsonObject => ({
    oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  });
  test.each<[string, JsonObject]>([
    ['branches that refer to further choices', choice('Pet', 'Plant')],
    ['two choices beside each other', { allOf: [choice('Cat', 'Dog'), choice('Cat', 'Tree')] }],
  ])('of %s, what none takes is complained of once', (_name, schema) => {
    const kind = (type: string): JsonObject => ({ type: 'object', required: [type] });
    const members = {
      components: {
        schemas: {
          Pet: choice('Cat', 'Dog'),
          Plant: choice('Tree', 'Fern'),
          Cat: kind('meow'),
          Dog: kind('bark'),
          Tree: kind('height'),
          Fern: kind('fronds'),
        },
      },
    };
    expect(complaints(schema, {}, 'request', members)).toEqual([
      '(root) must match exactly one of the 2 alternatives, but is an object ' +
        'that matches none',
    ]);
    expect(schemaOf(schema, members).accepts({}, 'request')).toBe(false);
  });
});

describe('an alternative that is named by a discriminator', () => {
  const members = {
    components: {
      schemas: {
        Circle: { type: 'object', required: ['radius'] },
        Square: { type: 'object', required: ['side'] },
      },
    },
  };
  const oneOf = ['Circle', 'Square'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const named = (mapping: JsonObject): JsonObject => ({
    oneOf,
    discriminator: { propertyName: 'kind', mapping },
  });

  test.each<[string, JsonObject, string, string[]]>([
    ['by its own name', {}, 'Square', ['(root) must have the property side']],
    [
      'by a key that refers to it',
      { round: '#/components/schemas/Circle', straight: '#/components/schemas/Square' },
      'straight',
      ['(root) must have the property side'],
    ],
    [
      'by a key with its name',
      { round: 'Circle', straight: 'Square' },
      'round',
      ['(root) must have the property radius'],
    ],
    [
      'by no key',
      { round: 'Circle', straight: 'Square' },
      'Square',
      ['/kind must be one of round, straight'],
    ],
  ])('%s', (_name, mapping, kind, expected) => {
    expect(complaints(named(mapping), { kind }, 'request', members)).toEqual(expected);
  });
});

test('equal schemas at two places have issues with their own pointers', () => {
  const contract = makeContract({
    paths: {
      '/a': {
        post: {
          requestBody: jsonContent({ type: 'array', items: { type: 'integer', maximum: 5 } }),
          responses: {
            200: {
              description: 'Fine',
              ...jsonContent({ type: 'array', items: { type: 'integer', maximum: 5 } }),
            },
          },
        },
      },
    },
  });
  const [operation] = contract.operations;
  const [first, second] = [
    operation?.requestBody?.content[0]?.schema,
    operation?.responses[0]?.content[0]?.schema,
  ];
  expect(first?.validate([9], 'request')[0]?.pointer).toBe(
    '/paths/~1a/post/requestBody/content/application~1json/schema/items/maximum',
  );
  expect(second?.validate([9], 'request')[0]?.pointer).toBe(
    '/paths/~1a/post/responses/200/content/application~1json/schema/items/maximum',
  );
});

test('an alternative that leads back to its schema adds nothing to the others', () => {
  const members = {
    components: {
      schemas: { Loop: { anyOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'string' }] } },
    },
  };
  const loop = { $ref: '#/components/schemas/Loop' };
  expect(complaints(loop, 'a', 'request', members)).toEqual([]);
  expect(complaints(loop, 1, 'request', members)).toHaveLength(1);
});

describe('a flat view', () => {
  test('merges allOf, keeps the pointer of each property, and narrows bounds', () => {
    const flat = schemaOf({
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'], minProperties: 1 },
        { properties: { b: { type: 'integer' } }, minProperties: 2 },
      ],
    }).flatten();
    expect([...flat.properties.keys()]).toEqual(['a', 'b']);
    expect(flat.properties.get('b')?.pointer).toMatch(/\/allOf\/1\/properties\/b$/);
    expect(flat.node.minProperties).toBe(2);
    expect([...flat.required]).toEqual(['a']);
    expect(flat.types).toEqual(['object']);
  });

  test.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['null', 'string']],
    [{ oneOf: [{ $ref: '#/components/schemas/Word' }, { type: 'null' }] }, ['null', 'string']],
    [{ oneOf: [{ properties: { a: {} } }, { items: {} }] }, ['array', 'object']],
    [{ anyOf: [{ type: 'string' }, {}] }, 'all'],
    [{ anyOf: [{ $ref: '#/components/schemas/Odd' }, { type: 'null' }] }, 'all'],
  ])('%j has the types %s', (node, types) => {
    const members = {
      components: {
        schemas: {
          Word: { type: 'string', maxLength: 9 },
          Odd: { anyOf: [{ $ref: '#/components/schemas/Odd' }] },
        },
      },
    };
    const shown = schemaOf(node, members).flatten().types;
    expect(shown.length === 7 ? 'all' : shown).toEqual(types);
  });

  test.each([
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['a', 'b'] }],
    [
      { oneOf: [{ type: 'string', enum: ['a'] }, { $ref: '#/components/schemas/Size' }] },
      { enum: ['a', 's', 'm'] },
    ],
    [
      { anyOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }] },
      { enum: ['s', 'm', null] },
    ],
    [
      { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], title: 'Due' },
      { type: ['null', 'string'], format: 'date', title: 'Due' },
    ],
    [{ anyOf: [{ const: 'a' }, { type: 'string' }] }, {}],
    [{ anyOf: [{ type: 'object' }, { type: 'null' }] }, {}],
  ])('reads the plainer form of the choice %j', (node, plainer) => {
    const members = { components: { schemas: { Size: { type: 'string', enum: ['s', 'm'] } } } };
    const flat = schemaOf(node, members).flatten().node;
    expect(flat).toEqual({ ...node, ...plainer });
  });

  test('ends at a schema that contains itself', () => {
    const members = {
      components: {
        schemas: { Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }, { type: 'object' }] } },
      },
    };
    expect(schemaOf({ $ref: '#/components/schemas/Loop' }, members).flatten().types).toEqual([
      'object',
    ]);
  });
});

describe('members that a part of allOf names are evaluated beside a condition', () => {
  const base = { allOf: [{ properties: { hull: {} } }], unevaluatedProperties: false };
  const needs = (name: string): JsonObject => ({ required: [name], properties: { [name]: {} } });
  test.each<[string, JsonObject, readonly JsonObject[], readonly JsonObject[]]>([
    [
      'that is not met',
      { ...base, if: needs('sail'), then: needs('mast') },
      [{ hull: 1 }, { hull: 1, sail: 1, mast: 1 }],
      [{ oar: 1 }, { mast: 1 }, { hull: 1, sail: 1 }],
    ],
    [
      'with an alternative',
      { ...base, if: needs('sail'), then: needs('mast'), else: needs('oar') },
      [
        { hull: 1, oar: 1 },
        { hull: 1, sail: 1, mast: 1 },
      ],
      [{ hull: 1 }, { hull: 1, oar: 1, mast: 1 }],
    ],
    [
      'of members on others',
      { ...base, properties: { sail: {} }, dependentSchemas: { sail: needs('mast') } },
      [{ hull: 1 }, { hull: 1, sail: 1, mast: 1 }],
      [{ hull: 1, mast: 1 }, { sail: 1 }],
    ],
    [
      'beside choices',
      { ...base, anyOf: [needs('oar'), {}], if: needs('sail'), then: needs('mast') },
      [{ hull: 1 }, { hull: 1, oar: 1 }, { oar: 1, sail: 1, mast: 1 }],
      [{ hull: 1, mast: 1 }],
    ],
  ])('%s', (_name, schema, right, wrong) => {
    expect(right.map((value) => complaints(schema, value))).toEqual(right.map(() => []));
    expect(wrong.filter((value) => complaints(schema, value).length === 0)).toEqual([]);
  });
});
