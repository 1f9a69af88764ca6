import { faker as shared } from '@faker-js/faker/locale/en';
import { describe, expect, test } from 'vitest';
import type { Direction, SchemaNode } from '../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { loadSampler } from '../../src/values/sample-value.ts';
import { makeSchema } from './make-schema.ts';

const { sampleValue } = await loadSampler();

function sample(
  node: SchemaNode,
  seed: string | number = 1,
  direction: Direction = 'response',
): JsonValue {
  const made = sampleValue(makeSchema(node), { seed, direction });
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

const record: SchemaNode = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64', minimum: 1 },
    name: { type: 'string' },
    email: { type: 'string', format: 'email' },
    job: { type: 'string', 'x-faker': 'person.jobTitle' },
    level: { type: 'integer', 'x-faker': { 'number.int': [{ min: 5, max: 6 }] } },
    createdAt: { type: 'string', format: 'date-time' },
    price: { type: 'number', minimum: 0, maximum: 100 },
    status: { enum: ['open', 'closed'] },
    secret: { type: 'string', writeOnly: true },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
};

describe('a sample', () => {
  test('looks like real data', () => {
    expect(sample(record)).toMatchInlineSnapshot(`
      {
        "createdAt": "2024-05-28T10:23:00Z",
        "email": "yuki.walsh492@example.com",
        "id": 86,
        "job": "Investor Factors Consultant",
        "level": 5,
        "name": "Montana",
        "price": 85.69,
        "status": "closed",
        "tags": [
          "north",
          "maple",
        ],
      }
    `);
  });

  test('depends only on the seed', () => {
    const first = sample(record, 'x');
    sample(record, 'y');
    expect(sample(record, 'x')).toEqual(first);
    expect(sample(record, 'y')).not.toEqual(first);
  });

  test('varies: twenty seeds give at least ten names, and every status', () => {
    const made = Array.from({ length: 20 }, (_item, seed) => sample(record, seed) as JsonObject);
    expect(new Set(made.map(({ name }) => name)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['open', 'closed']));
  });

  test('leaves the shared faker as its user seeded it', () => {
    shared.seed(42);
    const expected = shared.person.firstName();
    shared.seed(42);
    sample(record);
    expect(shared.person.firstName()).toBe(expected);
  });

  test('omits members hidden in its direction', () => {
    expect(sample(record)).not.toHaveProperty('secret');
    expect(sample(record, 1, 'request')).toHaveProperty('secret');
  });

  test.each([
    'constructor.constructor',
    'person.toString',
    'fakerCore.options',
    '__proto__.valueOf',
    'person',
    'no.such',
  ])('reaches for no more than faker has: x-faker %s', (path) => {
    expect(sample({ type: 'string', 'x-faker': path, examples: ['shown'] })).toEqual(
      expect.any(String),
    );
  });
});

test('dates of faker have the required format', () => {
  expect(sample({ type: 'string', format: 'date', 'x-faker': 'date.past' })).toMatch(
    /^202[34]-\d\d-\d\d$/,
  );
  expect(sample({ type: 'string', format: 'date-time', 'x-faker': 'date.past' })).toMatch(
    /^202[34]-\d\d-\d\dT.*Z$/,
  );
});

describe('a sample keeps rules that random data easily breaks', () => {
  test.each<[string, SchemaNode]>([
    ['email with maxLength', { type: 'string', format: 'email', maxLength: 12 }],
    ['pattern with lengths', { type: 'string', pattern: '^[a-z]+$', minLength: 30, maxLength: 31 }],
    [
      'integers beyond 2^53',
      { type: 'integer', minimum: 9007199254740993n, maximum: 9007199254740995n },
    ],
    [
      'patternProperties',
      {
        type: 'object',
        patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
        additionalProperties: false,
        minProperties: 2,
      },
    ],
    [
      'fractions',
      {
        type: 'array',
        minItems: 20,
        items: { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 100 },
      },
    ],
    [
      'recursion',
      {
        $ref: '#/$defs/Node',
        $defs: {
          Node: {
            type: 'object',
            required: ['children'],
            properties: {
              children: { type: 'array', items: { $ref: '#/$defs/Node' } },
              next: { $ref: '#/$defs/Node' },
            },
          },
        },
      },
    ],
    ['not', { type: 'string', not: { pattern: '^a' } }],
    [
      'unique items',
      { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b', 'c'] } },
    ],
  ])('%s', (_what, node) => {
    for (const seed of [1, 2, 3])
      expect(makeSchema(node).validate(sample(node, seed), 'response')).toEqual([]);
  });
});

test('a missing sample value has a reason', () => {
  expect(
    sampleValue(makeSchema({ type: 'integer', minimum: 2, maximum: 1 }), {
      seed: 1,
      direction: 'response',
    }),
  ).toMatchInlineSnapshot(`
    {
      "ok": false,
      "reason": "no value was found that keeps #/minimum: its bounds leave no number",
    }
  `);
});

test('the sampler is loaded once', () => {
  expect(loadSampler()).toBe(loadSampler());
});
