import { expect, test } from 'vitest';
import { withoutUnusable } from '../../../src/contract/schema/convert-schema.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const greatest = 9_223_372_036_854_775_807n;

test('a schema with valid keywords only is returned unchanged', () => {
  const node = {
    type: 'integer',
    maximum: greatest,
    maxLength: 5,
    enum: [1],
    pattern: 'a',
    uniqueItems: true,
    'x-own': greatest,
  };
  expect(withoutUnusable(node)).toBe(node);
});

test('keywords with invalid values are left out, the others stay', () => {
  expect(
    withoutUnusable({
      type: 'string',
      minLength: '1',
      required: true,
      enum: 'a',
      pattern: 1,
      uniqueItems: 'no',
      maximum: 5,
    }),
  ).toEqual({ type: 'string', maximum: 5 });
});

test('an empty enum is ignored in every version', () => {
  expect(withoutUnusable({ type: 'string', enum: [] })).toEqual({ type: 'string' });
  for (const openapi of ['3.0.3', '3.1.0']) {
    const node = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: [] } },
    };
    const schema = makeContract({
      openapi,
      paths: { '/a': { post: { requestBody: jsonContent(node), responses: {} } } },
    }).operations[0]?.requestBody?.content[0]?.schema;
    expect(
      [{ kind: 'a' }, { kind: 1 }].map((value) => schema?.validate(value, 'request').length),
    ).toEqual([0, 1]);
  }
});

test.each<[string, JsonObject]>([
  ['maxLength', { type: 'string' }],
  ['maxItems', { type: 'array', items: {} }],
  ['maxProperties', { type: 'object' }],
])(
  'the greatest integer of 64 bits as %s is no bound: all is valid, and values are made',
  (keyword, node) => {
    expect(withoutUnusable({ [keyword]: greatest })).toEqual({ [keyword]: 2 ** 63 });
    const schema = makeContract({
      paths: {
        '/a': {
          post: { requestBody: jsonContent({ ...node, [keyword]: greatest }), responses: {} },
        },
      },
    }).operations[0]?.requestBody?.content[0]?.schema;
    expect([
      schema?.validate('x', 'request').length,
      schema?.validate([1], 'request').length,
      schema?.validate({ a: 1 }, 'request').length,
    ]).toEqual(['string', 'array', 'object'].map((type) => (type === node['type'] ? 0 : 1)));
  },
);
