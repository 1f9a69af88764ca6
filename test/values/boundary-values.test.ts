import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../src/contract/model.ts';
import type { JsonValue } from '../../src/json/value.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { makeSchema } from './make-schema.ts';

function shown(node: SchemaNode): JsonValue[] {
  return boundaryValues(makeSchema(node), 'request').map(({ valueClass, value }) => [
    valueClass,
    value,
  ]);
}

describe('the edges of a scalar', () => {
  test.each<[string, SchemaNode, JsonValue]>([
    [
      'bounds, and one inside',
      { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      [
        ['default-value', 20],
        ['minimum', 1],
        ['inside-minimum', 2],
        ['maximum', 100],
        ['inside-maximum', 99],
      ],
    ],
    [
      'exclusive bounds',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      [
        ['minimum', 1],
        ['inside-minimum', 2],
        ['maximum', 9],
        ['inside-maximum', 8],
      ],
    ],
    [
      'multiples',
      { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.25 },
      [
        ['minimum', 0],
        ['inside-minimum', 0.25],
        ['maximum', 1],
        ['inside-maximum', 0.75],
      ],
    ],
    ['a range of one', { type: 'integer', minimum: 3, maximum: 3 }, [['minimum', 3]]],
    [
      'int32',
      { type: 'integer', format: 'int32' },
      [
        ['integer-edge', -2147483648],
        ['integer-edge', 2147483647],
        ['zero', 0],
      ],
    ],
    [
      'int64, with the first integer that a double does not hold',
      { type: 'integer', format: 'int64' },
      [
        ['integer-edge', -9223372036854775808n],
        ['integer-edge', 9223372036854775807n],
        ['integer-edge', 9007199254740993n],
        ['zero', 0],
      ],
    ],
    [
      'int64 with a bound',
      { type: 'integer', format: 'int64', minimum: 1 },
      [
        ['minimum', 1],
        ['inside-minimum', 2],
        ['integer-edge', 9223372036854775807n],
        ['integer-edge', 9007199254740993n],
      ],
    ],
    ['no bounds', { type: 'integer' }, [['zero', 0]]],
    [
      'both booleans',
      { type: 'boolean' },
      [
        ['boolean-value', true],
        ['boolean-value', false],
      ],
    ],
    [
      'every enum value',
      { enum: ['available', 'pending', 'sold'] },
      [
        ['enum-value', 'available'],
        ['enum-value', 'pending'],
        ['enum-value', 'sold'],
      ],
    ],
    [
      'examples',
      { type: 'string', examples: ['Rex', 'Ada'] },
      [
        ['example', 'Rex'],
        ['example', 'Ada'],
      ],
    ],
    [
      'null where it may be',
      { type: ['boolean', 'null'] },
      [
        ['boolean-value', true],
        ['boolean-value', false],
        ['null', null],
      ],
    ],
    [
      'dates',
      { type: 'string', format: 'date' },
      [
        ['format-edge', '2024-02-29'],
        ['format-edge', '1999-12-31'],
        ['format-edge', '2000-01-01'],
        ['format-edge', '1970-01-01'],
      ],
    ],
    [
      'each branch',
      { oneOf: [{ const: 'a' }, { const: 1 }, { type: 'null' }] },
      [
        ['branch', 1],
        ['null', null],
      ],
    ],
    ['nothing, where nothing is said', { type: 'string' }, []],
    ['nothing, where no value is valid', { type: 'integer', minimum: 2, maximum: 1 }, []],
  ])('%s', (_what, node, expected) => {
    expect(shown(node)).toEqual(expected);
  });

  test('lengths, in code points', () => {
    const values = boundaryValues(
      makeSchema({ type: 'string', minLength: 2, maxLength: 5 }),
      'request',
    );
    expect(
      values.map(({ valueClass, value }) => [valueClass, Array.from(value as string).length]),
    ).toEqual([
      ['shortest', 2],
      ['inside-length', 3],
      ['longest', 5],
      ['inside-length', 4],
    ]);
  });

  test('lengths with a pattern or a format, which stay valid', () => {
    const long = boundaryValues(
      makeSchema({ type: 'string', pattern: '^[A-Z]{2}-\\d+$', minLength: 4, maxLength: 40 }),
      'request',
    );
    expect(long.map(({ value }) => (value as string).length)).toEqual([4, 5, 40, 39]);
    const email = boundaryValues(
      makeSchema({ type: 'string', format: 'email', maxLength: 254 }),
      'request',
    ).filter(({ valueClass }) => valueClass === 'longest');
    expect(email.map(({ value }) => (value as string).length)).toEqual([254]);
  });
});

const order: SchemaNode = {
  type: 'object',
  required: ['count', 'items'],
  properties: {
    count: { $ref: '#/$defs/Count' },
    note: { type: 'string', maxLength: 3 },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        type: 'object',
        required: ['size'],
        properties: { size: { enum: ['s', 'm'] }, gift: { type: 'boolean' } },
      },
    },
  },
  $defs: { Count: { type: 'integer', minimum: 1, maximum: 9 } },
};

test('the edges of an object are those of its members, one at a time, and its own', () => {
  const lines = boundaryValues(makeSchema(order), 'request').map(
    ({ valueClass, label, at, pointer }) => `${valueClass} | ${label} | ${at} | ${pointer}`,
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "minimum | count is 1, the minimum | /count | /$defs/Count/minimum",
      "inside-minimum | count is 2, one inside the minimum | /count | /$defs/Count/minimum",
      "maximum | count is 9, the maximum | /count | /$defs/Count/maximum",
      "inside-maximum | count is 8, one inside the maximum | /count | /$defs/Count/maximum",
      "longest | note has 3 characters, the most | /note | /properties/note/maxLength",
      "inside-length | note has 2 characters, one inside the bound |
      ↳ /note | /properties/note/maxLength",
      "fewest-items | items has 1 item | /items | /properties/items/minItems",
      "most-items | items has 3 items | /items | /properties/items/maxItems",
      "enum-value | items[0].size is "m" | /items/0/size |
      ↳ /properties/items/items/properties/size/enum",
      "boolean-value | items[0].gift is false | /items/0/gift |
      ↳ /properties/items/items/properties/gift",
      "optional-missing | note is left out | /note | /properties/note",
      "optional-missing | items[0].gift is left out | /items/0/gift |
      ↳ /properties/items/items/properties/gift",
      "required-only | the value has required members only |  | ",
    ]
  `);
});

test('the rest of the value stays plain', () => {
  const values = boundaryValues(makeSchema(order), 'request');
  expect(values.find(({ label }) => label.startsWith('count is 9'))?.value).toMatchInlineSnapshot(`
    {
      "count": 9,
      "items": [
        {
          "gift": true,
          "size": "s",
        },
      ],
      "note": "Del",
    }
  `);
  expect(values.find(({ at }) => at === '/items/0/gift')?.value).toMatchInlineSnapshot(`
    {
      "count": 5,
      "items": [
        {
          "gift": false,
          "size": "s",
        },
      ],
      "note": "Del",
    }
  `);
});

test('further edges of one value are kept', () => {
  const [first] = boundaryValues(
    makeSchema({
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { enum: [1, 2] }, b: { enum: ['x', 'y'] } },
    }),
    'request',
  );
  expect(first).toMatchInlineSnapshot(`
    {
      "also": [
        {
          "at": "/b",
          "pointer": "/properties/b/enum",
          "valueClass": "enum-value",
        },
        {
          "at": "",
          "pointer": "",
          "valueClass": "required-only",
        },
        {
          "at": "",
          "pointer": "",
          "valueClass": "all-optional",
        },
      ],
      "at": "/a",
      "label": "a is 1",
      "pointer": "/properties/a/enum",
      "value": {
        "a": 1,
        "b": "x",
      },
      "valueClass": "enum-value",
    }
  `);
});

test('readOnly members are not sent, writeOnly ones not shown', () => {
  const node: SchemaNode = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'boolean', writeOnly: true },
    },
  };
  const places = (direction: 'request' | 'response'): string[] =>
    boundaryValues(makeSchema(node), direction).map(({ at }) => at);
  expect(places('request')).not.toContain('/id');
  expect(places('response')).not.toContain('/secret');
});

test('another seed gives other plain words around the same edges', () => {
  const node: SchemaNode = {
    type: 'object',
    required: ['email', 'ok'],
    properties: { email: { type: 'string' }, ok: { type: 'boolean' } },
  };
  const [first, second] = ['a', 'b'].map((seed) =>
    boundaryValues(makeSchema(node), 'request', seed),
  );
  expect(first?.map(({ label }) => label)).toEqual(second?.map(({ label }) => label));
  expect(first?.[0]?.value).not.toEqual(second?.[0]?.value);
});

test('the edges of every form of a schema are covered', () => {
  const forms: SchemaNode = {
    oneOf: [
      {
        type: 'object',
        required: ['kind', 'speed'],
        properties: { kind: { const: 'wind' }, speed: { type: 'integer', minimum: 0, maximum: 9 } },
      },
      {
        type: 'object',
        required: ['kind', 'depth'],
        properties: { kind: { const: 'rain' }, depth: { type: 'integer', minimum: 5, maximum: 8 } },
      },
    ],
  };
  const ends = shown(forms).filter((entry) => JSON.stringify(entry).startsWith('["m'));
  expect(ends).toEqual([
    ['minimum', { kind: 'wind', speed: 0 }],
    ['maximum', { kind: 'wind', speed: 9 }],
    ['minimum', { kind: 'rain', depth: 5 }],
    ['maximum', { kind: 'rain', depth: 8 }],
  ]);
});
