import { expect, test } from 'vitest';
import { invalidArguments } from '../../../src/check/plan/argument-values.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { makeContract } from '../../contract/make-contract.ts';

/**
 * What breaks the rules of a parameter as a value, each by its class and where in the schema the
 * rule stands.
 */
function structuresOf(schema: JsonObject, more: JsonObject = {}): string[] {
  const [operation] = makeContract({
    paths: {
      '/a': { get: { parameters: [{ name: 'p', in: 'query', schema, ...more }], responses: {} } },
    },
  }).operations;
  const [parameter] = operation?.parameters ?? [];
  if (parameter === undefined) throw new Error('the contract has no parameter');
  const own = parameter.schema.pointer;
  return invalidArguments(parameter).flatMap(({ source, valueClass, pointer }) =>
    source.kind === 'value' ? [`${valueClass} ${pointer.slice(own.length)}`] : [],
  );
}

const deep = { style: 'deepObject' };
const z: JsonObject = { type: 'integer', maximum: 3 };

test.each<[string, JsonObject, JsonObject, string[]]>([
  [
    'a list by the rules of the whole, its items by texts',
    {
      type: 'array',
      minItems: 2,
      maxItems: 3,
      uniqueItems: true,
      items: { type: 'integer', minimum: 5 },
    },
    {},
    ['too-few-items /minItems', 'too-many-items /maxItems', 'duplicate-items /uniqueItems'],
  ],
  [
    'an object by the rules of the whole',
    {
      type: 'object',
      required: ['x', 'y'],
      additionalProperties: false,
      properties: { x: { type: 'string' }, y: { type: 'string' } },
    },
    deep,
    [
      'missing-required /required',
      'missing-required /required',
      'additional-property /additionalProperties',
    ],
  ],
  [
    'an object by how many members it has',
    {
      type: 'object',
      minProperties: 2,
      maxProperties: 3,
      additionalProperties: { type: 'string' },
    },
    deep,
    ['too-few-properties /minProperties', 'too-many-properties /maxProperties'],
  ],
  [
    'a member that is a scalar',
    { type: 'object', properties: { x: { type: 'integer', minimum: 5 } } },
    deep,
    ['below-minimum /properties/x/minimum', 'fraction-for-integer /properties/x/type'],
  ],
  [
    'a scalar further down',
    { type: 'object', properties: { o: { type: 'object', required: ['z'], properties: { z } } } },
    deep,
    [
      'missing-required /properties/o/required',
      'above-maximum /properties/o/properties/z/maximum',
      'fraction-for-integer /properties/o/properties/z/type',
    ],
  ],
  [
    'no member that is a list or an object, which texts tell otherwise',
    {
      type: 'object',
      properties: { l: { type: 'array', maxItems: 1, items: { type: 'boolean' } } },
    },
    deep,
    [],
  ],
  [
    'no types alone: text has none',
    { type: 'object', properties: { b: { type: 'boolean' } } },
    deep,
    [],
  ],
  ['nothing of what is a text', { type: 'integer', minimum: 5 }, {}, []],
])('an invalid argument breaks %s', (_name, schema, more, expected) => {
  expect(structuresOf(schema, more)).toEqual(expected);
});

test('headers and paths get no empty text, and none with surrounding spaces', () => {
  const schema = { type: 'string', minLength: 1, pattern: '^[a-z]+$' };
  const texts = (place: string): string[] => {
    const [operation] = makeContract({
      paths: { '/a': { get: { parameters: [{ name: 'p', in: place, schema }], responses: {} } } },
    }).operations;
    const [parameter] = operation?.parameters ?? [];
    return parameter === undefined
      ? []
      : invalidArguments(parameter).flatMap(({ source }) =>
          source.kind === 'text' ? [source.text] : [],
        );
  };
  expect(texts('query')).toContain('');
  expect(texts('header').filter((text) => text.trim() !== text || text === '')).toEqual([]);
  expect(texts('header').length).toBeGreaterThan(0);
});

test.each([
  ['a header that is required', 'header', true, true],
  ['a header that may be absent', 'header', false, false],
  ['a cookie', 'cookie', true, false],
])('%s gets an empty text or none, as its absence is told from it', (_of, place, required, is) => {
  const [operation] = makeContract({
    paths: {
      '/a': {
        get: {
          parameters: [
            { name: 'X-Tenant', in: place, required, schema: { type: 'string', minLength: 1 } },
          ],
          responses: {},
        },
      },
    },
  }).operations;
  const texts = (operation?.parameters ?? []).flatMap((parameter) =>
    invalidArguments(parameter).map(({ source }) => source.kind === 'text' && source.text),
  );
  expect(texts.includes('')).toBe(is);
});
