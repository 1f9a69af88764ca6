import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../src/contract/model.ts';
import { type JsonObject, stringifyJson } from '../../src/json/value.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import type { ValueClass } from '../../src/values/labelled-value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { makeSchema } from './make-schema.ts';

/** The values of the classes, as JSON. */
function broken(node: SchemaNode, ...classes: readonly ValueClass[]): string[] {
  return invalidValues(makeSchema(node), 'request')
    .filter(({ valueClass }) => classes.includes(valueClass))
    .map(({ value }) => stringifyJson(value));
}

describe('one rule at a time is broken:', () => {
  test.each<[ValueClass, SchemaNode, readonly string[]]>([
    [
      'missing-required',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
      },
      ['{"b":2,"c":3}', '{"a":1,"c":3}'],
    ],
    [
      'missing-dependent',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { const: 2 } },
        dependentRequired: { a: ['b'] },
      },
      ['{"a":1}'],
    ],
    [
      'null-given',
      { type: 'object', properties: { a: { const: 1, type: 'integer' } } },
      ['null', '{"a":null}'],
    ],
    ['null-given', { type: ['integer', 'null'] }, []],
    ['wrong-type', { type: 'string' }, ['12345', 'true', '[]', '{}']],
    ['wrong-type', { type: 'integer' }, ['"abc"', 'true', '[]', '{}']],
    ['wrong-type', { type: ['string', 'integer'] }, ['true', '[]', '{}']],
    ['wrong-type', { type: 'boolean' }, ['"maybe"', '[]', '{}']],
    ['wrong-type', { type: 'array' }, ['{}', '"text"', '12345']],
    ['coercible-type', { type: 'integer', const: 42 }, ['"42"']],
    ['coercible-type', { type: 'boolean' }, ['"true"', '1']],
    ['coercible-type', { type: 'array', items: { type: 'string', const: 'a' } }, ['"a"']],
    ['fraction-for-integer', { type: 'integer', const: 42 }, ['42.5']],
    ['below-minimum', { type: 'integer', minimum: 1 }, ['0']],
    ['below-minimum', { type: 'integer', exclusiveMinimum: 1 }, ['0']],
    ['above-maximum', { type: 'integer', maximum: 100 }, ['101']],
    ['above-maximum', { type: 'number', maximum: 1, multipleOf: 0.5 }, ['1.5']],
    [
      'on-exclusive-bound',
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      ['0', '1'],
    ],
    ['integer-overflow', { type: 'integer', format: 'int32' }, ['-2147483649', '2147483648']],
    [
      'integer-overflow',
      { type: 'integer', format: 'int64' },
      ['-9223372036854775809', '9223372036854775808'],
    ],
    ['not-a-multiple', { type: 'integer', multipleOf: 10, minimum: 10, maximum: 20 }, ['11']],
    ['not-a-multiple', { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 0.01 }, ['0.001']],
    ['not-in-enum', { enum: ['available', 'sold'] }, ['"unlisted"']],
    ['not-in-enum', { enum: [1, 2] }, ['3']],
    ['wrong-case', { enum: ['available', 'sold'] }, ['"AVAILABLE"']],
    ['wrong-case', { enum: ['a', 'A'] }, []],
    ['const-changed', { const: 'v1' }, ['"unlisted"']],
    ['too-short', { type: 'string', minLength: 1 }, ['""']],
    ['too-few-items', { type: 'array', minItems: 2, items: { const: 1 } }, ['[1]']],
    ['too-many-items', { type: 'array', maxItems: 1, items: { const: 1 } }, ['[1,1]']],
    ['duplicate-items', { type: 'array', uniqueItems: true, items: { enum: [1, 2] } }, ['[1,1]']],
    [
      'too-few-properties',
      { type: 'object', minProperties: 2, additionalProperties: { const: 1 } },
      ['{"amber":1}'],
    ],
    [
      'too-many-properties',
      { type: 'object', maxProperties: 1, additionalProperties: { const: 1 } },
      ['{"amber":1,"birch":1}'],
    ],
    [
      'additional-property',
      { type: 'object', properties: { a: { const: 1 } }, additionalProperties: false },
      ['{"a":1,"unexpected":"unexpected"}'],
    ],
    ['additional-property', { type: 'object', properties: { a: { const: 1 } } }, []],
    [
      'property-name-broken',
      { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, properties: { a: { const: 1 } } },
      ['{"a":1,"~ bad name!":1}'],
    ],
    [
      'property-name-broken',
      { type: 'object', propertyNames: { format: 'date' } },
      ['{"~ bad name!":"unexpected"}'],
    ],
    ['no-branch', { oneOf: [{ const: 'a' }, { const: 'b' }] }, ['{"unexpected":true}']],
    ['forbidden-value', { type: 'string', not: { const: 'root' } }, ['"root"']],
  ])('%s in %j', (valueClass, node, expected) => {
    expect(broken(node, valueClass)).toEqual(expected);
  });

  test('too-long, in code points', () => {
    const [value] = broken({ type: 'string', maxLength: 5 }, 'too-long');
    expect(JSON.parse(value ?? '')).toHaveLength(6);
  });

  test.each([
    ['^[a-z]+$', ['other case']],
    ['^\\d{4}$', []],
    ['^[^@]+@[^@]+$', []],
    ['^(?:yes|no)$', ['other case']],
    ['^.{1,5}$', ['too long']],
    ['^[A-Z]{2,8}$', ['other case', 'too long']],
  ])('pattern-broken for %s, also in %j', (pattern, ways) => {
    const texts = broken({ type: 'string', pattern, maxLength: 20 }, 'pattern-broken').map(
      (text): unknown => JSON.parse(text),
    );
    expect(texts).toHaveLength(1 + ways.length);
    for (const text of texts) expect(text).not.toMatch(new RegExp(pattern, 'u'));
    const isInOtherCase = (text: unknown): boolean => new RegExp(pattern, 'iu').test(String(text));
    expect(texts.some(isInOtherCase)).toBe(ways.includes('other case'));
    const isTooLong = (text: unknown): boolean =>
      new RegExp(pattern.replace(/,\d+\}/, ',}'), 'u').test(String(text));
    expect(texts.some(isTooLong)).toBe(ways.includes('too long'));
  });

  test.each([
    ['^https://', true],
    ['^https?://', false],
  ])('pattern-broken for web addresses that match %s: one without TLS is %s', (pattern, isOne) => {
    const shown = { type: 'string', format: 'uri', pattern, examples: ['https://a.example/b'] };
    expect(broken(shown, 'pattern-broken').includes('"http://a.example/b"')).toBe(isOne);
  });

  test('format-broken, with plausible values', () => {
    const formats = [
      'date',
      'date-time',
      'uuid',
      'email',
      'uri',
      'ipv4',
      'ipv6',
      'hostname',
      'time',
      'duration',
      'byte',
    ];
    expect(
      Object.fromEntries(
        formats.map((format) => [format, broken({ type: 'string', format }, 'format-broken')]),
      ),
    ).toMatchInlineSnapshot(`
      {
        "byte": [
          ""not base64!"",
          ""a"",
          ""aGVsbG8"",
        ],
        "date": [
          ""not-a-date"",
          ""2024-02-30"",
          ""2023-02-29"",
        ],
        "date-time": [
          ""not-a-date-time"",
          ""2024-02-30T00:00:00Z"",
          ""2024-03-15T10:00:00"",
        ],
        "duration": [
          ""not-a-duration"",
          ""P"",
          ""30 minutes"",
        ],
        "email": [
          ""not-an-email"",
          ""someone@"",
          ""@example.com"",
        ],
        "hostname": [
          ""-bad-.example.com"",
          ""exa mple.com"",
          ""under_score.example.com"",
        ],
        "ipv4": [
          ""256.1.1.1"",
          ""192.0.2"",
          ""192.0.2.1.5"",
        ],
        "ipv6": [
          ""2001:db8::1::2"",
          ""12345::1"",
          ""192.0.2.1"",
        ],
        "time": [
          ""not-a-time"",
          ""25:00:00Z"",
          ""10:61:00Z"",
        ],
        "uri": [
          ""not a uri"",
          ""://example.com"",
        ],
        "uuid": [
          ""not-a-uuid"",
          ""7f9c24e8-3b12-4fef-91e0-56a2d5a4f0"",
          ""7f9c24e83b124fef91e056a2d5a4f0c1"",
        ],
      }
    `);
  });
});

const order: SchemaNode = {
  type: 'object',
  required: ['email', 'lines'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', readOnly: true },
    email: { type: 'string', format: 'email', maxLength: 40 },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/Line' } },
    address: {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', minLength: 2 } },
    },
  },
  $defs: {
    Line: {
      type: 'object',
      required: ['count'],
      properties: {
        count: { type: 'integer', minimum: 1, maximum: 9 },
        status: { enum: ['open', 'sent'] },
      },
    },
  },
};

test('each member of an object is made invalid, including items of lists, with a reason', () => {
  const lines = invalidValues(makeSchema(order), 'request').map(
    ({ valueClass, label, at, pointer }) => `${valueClass} | ${label} | ${at} | ${pointer}`,
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "missing-required | email is missing | /email | /required",
      "missing-required | lines is missing | /lines | /required",
      "additional-property | unexpected is given, which the contract does
      ↳ not name | /unexpected | /additionalProperties",
      "null-given | the value is null |  | /type",
      "wrong-type | the value is [], not an object |  | /type",
      "wrong-type | the value is "text", not an object |  | /type",
      "wrong-type | the value is 12345, not an object |  | /type",
      "wrong-type | the value is true, not an object |  | /type",
      "coercible-type | the value is [{"email":"felix.garcia555@example.c
      ↳om",…, not an object |  | /type",
      "coercible-type | the value is "{\\"email\\":\\"felix.garcia555@exa
      ↳mple.co…, not an object |  | /type",
      "too-long | email has 41 characters, more than 40 | /email |
      ↳ /properties/email/maxLength",
      "format-broken | email is "not-an-email", not a valid email |
      ↳ /email | /properties/email/format",
      "format-broken | email is "someone@", not a valid email | /email |
      ↳ /properties/email/format",
      "format-broken | email is "@example.com", not a valid email |
      ↳ /email | /properties/email/format",
      "null-given | email is null | /email | /properties/email/type",
      "wrong-type | email is 12345, not a string | /email | /properties/email/type",
      "wrong-type | email is true, not a string | /email | /properties/email/type",
      "wrong-type | email is [], not a string | /email | /properties/email/type",
      "wrong-type | email is {}, not a string | /email | /properties/email/type",
      "null-given | lines is null | /lines | /properties/lines/type",
      "wrong-type | lines is {}, not an array | /lines | /properties/lines/type",
      "wrong-type | lines is "text", not an array | /lines | /properties/lines/type",
      "wrong-type | lines is 12345, not an array | /lines | /properties/lines/type",
      "coercible-type | lines is {"count":9,"status":"open"}, not an
      ↳ array | /lines | /properties/lines/type",
      "too-few-items | lines has 0 items, fewer than 1 | /lines |
      ↳ /properties/lines/minItems",
      "missing-required | address.city is missing | /address/city |
      ↳ /properties/address/required",
      "null-given | address is null | /address | /properties/address/type",
      "wrong-type | address is [], not an object | /address | /properties/address/type",
      "wrong-type | address is "text", not an object | /address | /properties/address/type",
      "wrong-type | address is 12345, not an object | /address | /properties/address/type",
      "wrong-type | address is true, not an object | /address | /properties/address/type",
      "coercible-type | address is [{"city":"Boston"}], not an object |
      ↳ /address | /properties/address/type",
      "coercible-type | address is "{\\"city\\":\\"Boston\\"}", not an
      ↳ object | /address | /properties/address/type",
      "missing-required | lines[0].count is missing | /lines/0/count | /$defs/Line/required",
      "null-given | lines[0] is null | /lines/0 | /$defs/Line/type",
      "wrong-type | lines[0] is [], not an object | /lines/0 | /$defs/Line/type",
      "wrong-type | lines[0] is "text", not an object | /lines/0 | /$defs/Line/type",
      "wrong-type | lines[0] is 12345, not an object | /lines/0 | /$defs/Line/type",
      "wrong-type | lines[0] is true, not an object | /lines/0 | /$defs/Line/type",
      "coercible-type | lines[0] is [{"count":9,"status":"open"}], not an
      ↳ object | /lines/0 | /$defs/Line/type",
      "coercible-type | lines[0] is "{\\"count\\":9,
      ↳\\"status\\":\\"open\\"}", not an object | /lines/0 |
      ↳ /$defs/Line/type",
      "too-short | address.city has 1 character, fewer than 2 |
      ↳ /address/city | /properties/address/properties/city/minLength",
      "null-given | address.city is null | /address/city |
      ↳ /properties/address/properties/city/type",
      "wrong-type | address.city is 12345, not a string | /address/city |
      ↳ /properties/address/properties/city/type",
      "wrong-type | address.city is true, not a string | /address/city |
      ↳ /properties/address/properties/city/type",
      "wrong-type | address.city is [], not a string | /address/city |
      ↳ /properties/address/properties/city/type",
      "wrong-type | address.city is {}, not a string | /address/city |
      ↳ /properties/address/properties/city/type",
      "below-minimum | lines[0].count is 0, below the minimum of 1 |
      ↳ /lines/0/count | /$defs/Line/properties/count/minimum",
      "above-maximum | lines[0].count is 10, above the maximum of 9 |
      ↳ /lines/0/count | /$defs/Line/properties/count/maximum",
      "null-given | lines[0].count is null | /lines/0/count |
      ↳ /$defs/Line/properties/count/type",
      "wrong-type | lines[0].count is "abc", not an integer |
      ↳ /lines/0/count | /$defs/Line/properties/count/type",
      "wrong-type | lines[0].count is true, not an integer |
      ↳ /lines/0/count | /$defs/Line/properties/count/type",
      "wrong-type | lines[0].count is [], not an integer | /lines/0/count
      ↳ | /$defs/Line/properties/count/type",
      "wrong-type | lines[0].count is {}, not an integer | /lines/0/count
      ↳ | /$defs/Line/properties/count/type",
      "coercible-type | lines[0].count is "9", not an integer |
      ↳ /lines/0/count | /$defs/Line/properties/count/type",
      "fraction-for-integer | lines[0].count is 9.5, not an integer |
      ↳ /lines/0/count | /$defs/Line/properties/count/type",
      "not-in-enum | lines[0].status is "unlisted", not one of "open",
      ↳ "sent" | /lines/0/status | /$defs/Line/properties/status/enum",
      "wrong-case | lines[0].status is "OPEN", not one of "open", "sent"
      ↳ | /lines/0/status | /$defs/Line/properties/status/enum",
      "null-given | lines[0].status is null | /lines/0/status |
      ↳ /$defs/Line/properties/status/enum",
      "wrong-type | lines[0].status is 12345, not a string |
      ↳ /lines/0/status | /$defs/Line/properties/status/enum",
      "wrong-type | lines[0].status is true, not a string |
      ↳ /lines/0/status | /$defs/Line/properties/status/enum",
      "wrong-type | lines[0].status is [], not a string | /lines/0/status
      ↳ | /$defs/Line/properties/status/enum",
      "wrong-type | lines[0].status is {}, not a string | /lines/0/status
      ↳ | /$defs/Line/properties/status/enum",
    ]
  `);
});

test('violating one bound leaves the others valid', () => {
  const node: SchemaNode = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', pattern: '^[A-Z]+$', minLength: 3, maxLength: 6 } },
  };
  const schema = makeSchema(node);
  const classes: readonly ValueClass[] = [
    'too-short',
    'too-long',
    'pattern-broken',
    'missing-required',
  ];
  const values = invalidValues(schema, 'request').filter(({ valueClass }) =>
    classes.includes(valueClass),
  );
  const counts = values.map(({ value }) => schema.validate(value, 'request').length);
  expect(counts).toEqual([1, 1, 1, 1, 1]);
});

test('an open schema has no invalid values', () => {
  expect(invalidValues(makeSchema(true), 'request')).toEqual([]);
  expect(invalidValues(makeSchema({}), 'request')).toEqual([]);
});

test('each alternative of a schema is made invalid by values that no alternative accepts', () => {
  const forms: SchemaNode = {
    oneOf: [
      {
        type: 'object',
        required: ['kind', 'speed'],
        properties: {
          kind: { const: 'wind' },
          speed: { type: 'integer', minimum: 0, maximum: 9 },
        },
      },
      {
        type: 'object',
        required: ['kind', 'depth'],
        properties: {
          kind: { const: 'rain' },
          depth: { type: 'integer', minimum: 5, maximum: 8 },
        },
      },
    ],
  };
  expect(broken(forms, 'below-minimum', 'above-maximum')).toEqual([
    '{"kind":"wind","speed":-1}',
    '{"kind":"wind","speed":10}',
    '{"kind":"rain","depth":4}',
    '{"kind":"rain","depth":9}',
  ]);
  expect(
    broken(
      {
        anyOf: [
          { type: 'integer', maximum: 5 },
          { type: 'object', required: ['a'], properties: { a: { type: 'integer', maximum: 3 } } },
        ],
      },
      'above-maximum',
    ),
  ).toEqual(['6', '{"a":4}']);
});

test('a value that alternatives share is none that is refused', () => {
  const list = (type: string): JsonObject => ({ type: 'array', items: { type } });
  const schema = { oneOf: [{ type: 'boolean' }, list('boolean'), list('string')] };
  const [operation] = makeContract({
    paths: { '/flags': { post: { requestBody: jsonContent(schema), responses: {} } } },
  }).operations;
  const body = operation?.requestBody?.content[0]?.schema;
  const values = body && invalidValues(body, 'request').map(({ value }) => stringifyJson(value));
  expect(values).toContain('{}');
  expect(values).not.toContain('[]');
});

test('a part of what may be left out is broken without what stands beside it', () => {
  const whole = (required: readonly string[]): SchemaNode => ({
    type: 'object',
    required,
    properties: { size: { type: 'integer' }, unit: { type: 'string' } },
  });
  const box = (required: readonly string[]): SchemaNode => ({
    type: 'object',
    properties: { box: whole(required) },
  });
  expect(broken(box([]), 'wrong-type')).toContain('{"box":{"size":"abc"}}');
  expect(broken(box(['unit']), 'wrong-type')).not.toContain('{"box":{"size":"abc"}}');
});
