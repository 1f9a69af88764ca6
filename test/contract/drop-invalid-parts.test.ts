import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';

function contractOf(members: JsonObject): ReturnType<typeof parseContract> {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, ...members };
  return parseContract(stringifyJson(document, 2), 'api.json');
}

function withSchema(schema: JsonValue): ReturnType<typeof parseContract> {
  const content = { 'application/json': { schema } };
  return contractOf({
    paths: {
      '/a': {
        post: { requestBody: { content }, responses: { 200: { description: 'ok', content } } },
      },
    },
  });
}

const at = '/paths/~1a/post/requestBody/content/application~1json/schema';

const types = 'string, number, integer, boolean, object, array, null';
const typeMessage = `"type" must be one of ${types}, or a list of them, but is`;

describe('a keyword of the wrong kind is left out and reported', () => {
  test.each<[schema: JsonObject, message: string]>([
    [{ items: [5] }, '"items" must be a schema object, but is a list.'],
    [{ properties: [] }, '"properties" must be an object, but is an empty list.'],
    [{ required: true }, '"required" must be a list of strings, but is true.'],
    [{ type: 5 }, `${typeMessage} 5.`],
    [{ type: 'thing' }, `${typeMessage} the string "thing".`],
    [{ enum: {} }, '"enum" must be a list, but is an object.'],
    [{ allOf: 7 }, '"allOf" must be a non-empty list, but is 7.'],
    [{ oneOf: [] }, '"oneOf" must be a non-empty list, but is an empty list.'],
    [{ pattern: null }, '"pattern" must be a string, but is null.'],
    [{ maxLength: -1 }, '"maxLength" must be a non-negative integer, but is -1.'],
    [
      { discriminator: {} },
      '"discriminator" must be an object with a propertyName, but is an object.',
    ],
  ])('%j', (wrong, message) => {
    const [keyword = ''] = Object.keys(wrong);
    const { faults, operations } = withSchema({ title: 'kept', ...wrong });
    expect(faults).toMatchObject([
      {
        pointer: `${at}/${keyword}`,
        message,
        place: { file: 'api.json', line: expect.any(Number) },
      },
      { message },
    ]);
    const schema = operations[0]?.requestBody?.content[0]?.schema;
    expect(schema?.node).toEqual({ title: 'kept' });
    expect(schema?.validate({ any: 'value' }, 'request')).toEqual([]);
  });
});

test('an invalid pattern is ignored, one of another dialect translated', () => {
  const { faults, operations } = withSchema({
    type: 'object',
    properties: { a: { type: 'string', pattern: '(' }, b: { type: 'string', pattern: '(?i)^x$' } },
    patternProperties: { '[': { type: 'string' }, '^n++$': { type: 'integer' } },
  });
  expect(faults.map(({ rule, message }) => [rule, message.replace(/: .*?;/, ':')])).toEqual(
    expect.arrayContaining([
      ['vouch/pattern-valid', 'The pattern ( is no regular expression: it is ignored.'],
      [
        'vouch/pattern-valid',
        'The pattern (?i)^x$ is no regular expression: it is read as ^[xX]$.',
      ],
      ['vouch/pattern-valid', 'The pattern [ is no regular expression: it is ignored.'],
      ['vouch/pattern-valid', 'The pattern ^n++$ is no regular expression: it is read as ^n+$.'],
    ]),
  );
  const schema = operations[0]?.requestBody?.content[0]?.schema;
  expect(schema?.validate({ a: '(', b: 'X', nn: 1 }, 'request')).toEqual([]);
  expect(schema?.validate({ b: 'y', nn: 'x' }, 'request')).toHaveLength(2);
});

test.each<[wrong: JsonObject, read: JsonObject, message: string]>([
  [
    { items: [{ type: 'string' }, { type: 'integer' }], maxItems: 2 },
    { prefixItems: [{ type: 'string' }, { type: 'integer' }], maxItems: 2 },
    '"items" must be a schema object, but is a list; it is read as a tuple (prefixItems).',
  ],
  [
    { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    '"items" must be a schema object, but is a list; it is read as what any item may be.',
  ],
  [
    { type: 'array', items: [{ type: 'string' }] },
    { type: 'array', items: { type: 'string' } },
    '"items" must be a schema object, but is a list; it is read as what any item may be.',
  ],
  [
    { type: 'String' },
    { type: 'string' },
    `The type "String" is not one of OpenAPI; it is read as "string".`,
  ],
  [
    { type: 'int' },
    { type: 'integer' },
    `The type "int" is not one of OpenAPI; it is read as "integer".`,
  ],
  [
    { type: ['int', 'null'] },
    { type: ['integer', 'null'] },
    'The type ["int","null"] is not one of OpenAPI; it is read as ["integer","null"].',
  ],
  [
    { type: 'bool' },
    { type: 'boolean' },
    `The type "bool" is not one of OpenAPI; it is read as "boolean".`,
  ],
])('%j is read as what it means, and told', (wrong, read, message) => {
  const { faults, operations } = withSchema(wrong);
  expect(faults[0]).toMatchObject({ rule: 'struct', message, place: { file: 'api.json' } });
  expect(operations[0]?.requestBody?.content[0]?.schema?.node).toEqual(read);
});

test('a component is replaced by an empty one, and items of a list keep their places', () => {
  const schemas = { Pet: 5, Box: { prefixItems: [null, { type: 'string' }] } };
  const { faults, soundDocument, document } = contractOf({ paths: {}, components: { schemas } });
  expect(faults.map(({ pointer }) => pointer)).toEqual([
    '/components/schemas/Pet',
    '/components/schemas/Box/prefixItems/0',
  ]);
  expect(soundDocument).toMatchObject({
    components: { schemas: { Pet: {}, Box: { prefixItems: [{}, { type: 'string' }] } } },
  });
  expect(document).toMatchObject({ components: { schemas } });
});

test.each<[members: JsonObject, pointer: string]>([
  [{ paths: { '/a': null } }, '/paths/~1a'],
  [{ paths: { '/a': { get: [] } } }, '/paths/~1a/get'],
  [{ paths: { '/a': { parameters: {} } } }, '/paths/~1a/parameters'],
  [{ paths: { '/a': { get: { parameters: [null] } } } }, '/paths/~1a/get/parameters/0'],
  [{ paths: { '/a': { get: { responses: [] } } } }, '/paths/~1a/get/responses'],
  [{ paths: {}, components: [] }, '/components'],
  [{ paths: {}, servers: 'https://a.example' }, '/servers'],
  [{ paths: {}, security: {} }, '/security'],
  [{ paths: {}, tags: ['a'] }, '/tags/0'],
  [{ paths: null }, '/paths'],
])('%j is read without its fault', (members, pointer) => {
  expect(contractOf(members).faults.map((fault) => fault.pointer)).toEqual([pointer]);
});

test('paths of another kind are an error with its place', () => {
  const error = expect.objectContaining({
    code: 'contract-not-openapi',
    place: { file: 'api.json', line: 7, column: 3 },
  });
  expect(() => contractOf({ paths: [] })).toThrow(error);
});

test('a document without faults is not copied, for any names of its author', () => {
  const properties = {
    type: { type: 'string' },
    required: { type: 'boolean' },
    items: { $ref: '#/components/schemas/A' },
    $ref: { type: 'string' },
  };
  const callbacks = { a: { $ref: '#/components/callbacks/C' } };
  const components = {
    schemas: { A: { properties, 'x-own': 5, enum: [] }, Any: true },
    callbacks: { C: { '{$url}': {} } },
  };
  const operation = {
    callbacks,
    responses: { 'x-more': 5, default: { description: 'any', $ref: '#/components/responses/R' } },
  };
  const { faults, document, soundDocument } = contractOf({
    paths: { 'x-paths': 5, '/a': { get: operation } },
    components: { ...components, responses: { R: { description: 'r' } } },
  });
  expect(faults).toEqual([]);
  expect(soundDocument).toBe(document);
});
