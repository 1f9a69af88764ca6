import { jsonContent, makeContract } from '../make-contract.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import type { Schema } from '../../../src/contract/model.ts';

type Json = JsonObject;

/** A schema and a body of at most 1 MiB that together ask for more work than they look like. */
export interface HostilePair {
  readonly name: string;
  readonly schema: Json;
  readonly body: string;
  /** Schemas that the schema refers to, beside itself, which is `S`. */
  readonly others?: Json;
}

const mebibyte = 1024 * 1024;
const self = { $ref: '#/components/schemas/S' };
const other = { $ref: '#/components/schemas/Other' };

function nested(depth: number, inner = '1'): string {
  return '{"a":'.repeat(depth) + inner + '}'.repeat(depth);
}

/** A list of as many items as fit into a size. */
function filled(item: (index: number) => string, size = mebibyte - 100): string {
  const items: string[] = [];
  for (let length = 2; length < size; length += (items.at(-1)?.length ?? 0) + 1)
    items.push(item(items.length));
  return items.slice(0, -1).join(',');
}

const list = (item: (index: number) => string, size?: number): string => `[${filled(item, size)}]`;
const map = (member: (index: number) => string, size?: number): string =>
  `{${filled(member, size)}}`;
const indexed = map((index) => `"k${String(index)}":${String(index)}`);

/** Three branches that each judge the same member again: exponential in the depth. */
function recursive(keyword: string, more: Json = {}): Json {
  return {
    [keyword]: [0, 1, 2].map((index) => ({
      type: 'object',
      properties: { a: self, [`x${String(index)}`]: { type: 'string' } },
      ...more,
    })),
  };
}

/** The same, with a large value at the bottom that each of them judges. */
function recursiveAbove(bottom: Json): Json {
  return {
    anyOf: [0, 1, 2].map((index) => ({
      properties: { a: { anyOf: [self, bottom] } },
      required: [`z${String(index)}`],
    })),
  };
}

const longName = `{"${'k'.repeat(mebibyte / 2)}":${list(() => '{}', mebibyte / 2 - 100)}}`;
const manyNames = Array.from({ length: 200 }, (_, index) => `name${String(index)}`);
const manyValues = Array.from({ length: 5_000 }, (_, index) => `value${String(index)}`);

const recursion: readonly HostilePair[] = [
  ...['anyOf', 'oneOf', 'allOf'].map((keyword) => ({
    name: `recursive ${keyword}`,
    schema: recursive(keyword),
    body: nested(30),
  })),
  {
    name: 'recursive anyOf that nothing keeps',
    schema: recursive('anyOf', { required: ['b'] }),
    body: nested(60),
  },
  {
    name: 'recursive not',
    schema: { properties: { a: { allOf: [0, 1, 2].map(() => ({ not: { not: self } })) } } },
    body: nested(30),
  },
  {
    name: 'recursive if',
    schema: { properties: { a: { if: self, then: self, else: self } }, required: ['a'] },
    body: nested(60),
  },
  {
    name: 'recursion over a large object',
    schema: recursive('anyOf'),
    body: nested(
      12,
      map((index) => `"k${String(index)}":1`, mebibyte - 500),
    ),
  },
  {
    name: 'recursion over a large array',
    schema: recursiveAbove({ uniqueItems: true }),
    body: nested(
      12,
      list((index) => `{"a":${String(index)}}`, mebibyte - 500),
    ),
  },
  {
    name: 'recursion over a long text',
    schema: recursiveAbove({
      type: 'string',
      pattern: '^(a|b)+$',
      format: 'uri',
      minLength: 900_000,
    }),
    body: nested(12, `"${'a'.repeat(mebibyte - 500)}"`),
  },
];

const items: readonly HostilePair[] = [
  {
    name: 'unique objects',
    schema: { uniqueItems: true },
    body: list((index) => `{"a":${String(index)}}`),
  },
  {
    name: 'unique lists of lists',
    schema: { uniqueItems: true, items: { uniqueItems: true } },
    body: list((index) => `[[${String(index)}],[2]]`),
  },
  { name: 'items that all fail', schema: { items: { type: 'string' } }, body: list(() => '1') },
  {
    name: 'items that fail by reference',
    schema: { items: other },
    body: list(() => '{}'),
    others: { Other: { required: ['a', 'b'] } },
  },
  {
    name: 'items that miss 200 members',
    schema: { items: { required: manyNames } },
    body: list(() => '{}'),
  },
  {
    name: 'items that fit the last alternative',
    schema: { items: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'integer' }] } },
    body: list(() => '1'),
  },
  {
    name: 'nothing that contains looks for',
    schema: { contains: other },
    body: list(() => '1'),
    others: { Other: { type: 'string', minLength: 3 } },
  },
  {
    name: 'a long enumeration',
    schema: { items: { enum: manyValues } },
    body: list(() => '"nope"'),
  },
  {
    name: 'an enumeration of objects',
    schema: { items: { enum: manyValues.map((a) => ({ a: { a } })) } },
    body: list((index) => `{"a":{"a":"value${String(index)}"}}`),
  },
  {
    name: 'unevaluated items',
    schema: { prefixItems: [true], unevaluatedItems: { type: 'string' } },
    body: list(() => '1'),
  },
  {
    name: 'multiples of a tiny number',
    schema: { items: { multipleOf: 1e-300 } },
    body: list((index) => (index === 0 ? '12345678901234567890' : '1e307')),
  },
  {
    name: 'large integers',
    schema: { uniqueItems: true, items: { type: 'integer', multipleOf: 7 } },
    body: list((index) => `${'9'.repeat(290)}${String(index)}`),
  },
];

const members: readonly HostilePair[] = [
  { name: 'members that are too many', schema: { additionalProperties: false }, body: indexed },
  {
    name: 'members that are not evaluated',
    schema: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    body: indexed,
  },
  {
    name: 'members by patterns',
    schema: {
      patternProperties: {
        '^(a+)+$': false,
        '^(k|k\\d)+$': { type: 'string' },
        'x*x*x*x*y': false,
      },
    },
    body: indexed,
  },
  {
    name: 'names by a pattern',
    schema: { propertyNames: { pattern: '^(z+)+$', maxLength: 3 } },
    body: indexed,
  },
  {
    name: 'members with dependent schemas',
    schema: {
      dependentSchemas: Object.fromEntries(
        manyNames.map((name, index) => [`k${String(index)}`, { required: [name] }]),
      ),
    },
    body: indexed,
  },
  {
    name: 'a long name above many items',
    schema: { additionalProperties: { items: other } },
    body: longName,
    others: { Other: { required: ['a'] } },
  },
  {
    name: 'a long name above many sound items',
    schema: { additionalProperties: { items: other } },
    body: longName,
    others: { Other: { properties: { a: { type: 'string' } } } },
  },
];

const runaway = [
  '^(a+)+$',
  '^(a|a|a|a|a)*$',
  'a*a*a*a*a*b',
  '^(\\w+\\s?)*$',
  '(a|b)*a(a|b){300}c',
  '^(?=.*a)(?=.*b).*.*.*c$',
  '^(a|a|a)+\\1$',
  '^(([a-z])+.)+[A-Z]$',
];
const lengths = [15, 40, 250, 5_000, mebibyte - 10];
const patterns: readonly HostilePair[] = runaway.flatMap((pattern) =>
  lengths.map((length) => ({
    name: `${pattern} over texts of ${String(length)}`,
    schema: { items: { type: 'string', pattern } },
    body:
      length > mebibyte / 2
        ? `["${'a'.repeat(length - 10)}!"]`
        : list(() => `"${'a'.repeat(length - 1)}!"`),
  })),
);

const formats = [
  'email',
  'uri',
  'uri-reference',
  'uri-template',
  'regex',
  'hostname',
  'date-time',
  'duration',
  'ipv6',
  'json-pointer',
  'byte',
];
const pieces = ['a', 'a.', 'a-', '(', '{a}', '%41', '1t', '[', '(a|b)*', '::', 'AAAA\n', '/~0'];
const beginnings = ['', 'a@', 'http://', 'P1'];

/** Pairs of every kind that is known to make a validator slow. */
export const hostilePairs: readonly HostilePair[] = [
  ...recursion,
  ...items,
  ...members,
  ...patterns,
];

/** Long texts against the formats that are judged by regular expressions. */
export function hostileTexts(size = mebibyte): readonly HostilePair[] {
  return formats.flatMap((format) =>
    pieces.flatMap((piece) =>
      beginnings.map((start) => ({
        name: `the format ${format} over ${start}${piece.trim()}…`,
        schema: { type: 'string', format },
        body: JSON.stringify(
          `${start}${piece.repeat(Math.floor((size - 200) / (JSON.stringify(piece).length - 2)))}!`,
        ),
      })),
    ),
  );
}

/** The schema of a pair, as the body of a contract's operation. */
export function schemaOf({ schema, others }: HostilePair): Schema {
  const contract = makeContract({
    paths: {
      '/a': {
        post: { requestBody: jsonContent(self), responses: { 200: { description: 'Fine' } } },
      },
    },
    components: { schemas: { S: schema, ...others } },
  });
  const made = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (made === undefined) throw new Error('The contract has no schema.');
  return made;
}
