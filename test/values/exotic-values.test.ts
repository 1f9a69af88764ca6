import { expect, test } from 'vitest';
import type { SchemaNode } from '../../src/contract/model.ts';
import { exoticValues } from '../../src/values/exotic-values.ts';
import { makeSchema } from './make-schema.ts';

function labels(node: SchemaNode): string[] {
  return exoticValues(makeSchema(node), 'request').map(({ label }) => label);
}

test('a free text gets every unusual JSON text', () => {
  expect(labels({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }))
    .toMatchInlineSnapshot(`
    [
      "name is empty",
      "name is a single blank",
      "name has blanks at both ends",
      "name has 10,000 characters",
      "name has letters of two bytes",
      "name has letters of three bytes",
      "name has characters of four bytes",
      "name has combining marks",
      "name is written from right to left",
      "name turns the direction of writing",
      "name has a blank of no width",
      "name has control characters",
      "name has the character NUL",
      "name has the quote that ends an SQL string",
      "name has the marks of HTML and of URLs",
      "name has the marks of templates",
      "name is the word null",
    ]
  `);
});

test('a bound of the contract excludes values', () => {
  expect(labels({ type: 'string', minLength: 1, maxLength: 8 })).toMatchInlineSnapshot(`
    [
      "the value is a single blank",
      "the value has letters of three bytes",
      "the value has characters of four bytes",
      "the value has combining marks",
      "the value is the word null",
      "the value has 8 characters of four bytes, the most",
    ]
  `);
});

test('the longest text is also sent in characters of four bytes', () => {
  const values = exoticValues(makeSchema({ type: 'string', maxLength: 20 }), 'request').map(
    ({ value }) => value,
  );
  expect(values).toContain('😀'.repeat(20));
});

test('a pattern, a format or a list excludes odd texts', () => {
  expect(labels({ type: 'string', pattern: '^[a-z]+$' })).toEqual(['the value is the word null']);
  expect(labels({ type: 'string', format: 'uuid' })).toEqual([]);
  expect(labels({ enum: ['a'] })).toEqual([]);
});

test('an integer without format may be beyond 2^53', () => {
  expect(
    exoticValues(makeSchema({ type: 'integer' }), 'request').map(({ value }) => value),
  ).toEqual([9007199254740993n]);
  expect(exoticValues(makeSchema({ type: 'integer', maximum: 100 }), 'request')).toEqual([]);
});

test('every value has the class exotic', () => {
  expect(
    new Set(
      exoticValues(makeSchema({ type: 'string' }), 'request').map(({ valueClass }) => valueClass),
    ),
  ).toEqual(new Set(['exotic']));
});

test('a value without effect at several places occurs once', () => {
  const values = exoticValues(
    makeSchema({
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', default: '' }, b: { type: 'string', default: '' } },
    }),
    'request',
  );
  expect(
    values
      .filter(({ label }) => label.endsWith('is empty'))
      .map(({ label, also }) => [label, also?.map(({ at }) => at)]),
  ).toEqual([['a is empty', ['/b']]]);
  expect(new Set(values.map(({ value }) => JSON.stringify(value))).size).toBe(values.length);
});

test('tuple items come once if the plain list is empty', () => {
  const values = exoticValues(
    makeSchema({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'string' }],
      items: false,
    }),
    'request',
  );
  expect(values.length).toBeGreaterThan(0);
  expect(new Set(values.map(({ value }) => JSON.stringify(value))).size).toBe(values.length);
});

test('a text with characters of four bytes says something without them', () => {
  const texts = exoticValues(makeSchema({ type: 'string', minLength: 1 }), 'request').flatMap(
    ({ label, value }) => (label.endsWith('of four bytes') ? [String(value)] : []),
  );
  expect(texts.map((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''))).toEqual(['a']);
});
