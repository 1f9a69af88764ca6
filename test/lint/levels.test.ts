import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintContract } from '../../src/lint/lint-contract.ts';

const found = { description: 'Found' };
const pathParameter = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

/** A document as a framework writes it, without summaries, servers, licence and security. */
function documentWith(
  operation: object,
  rest: object = {},
  paths: object = {},
): Record<string, unknown> {
  const get = { parameters: [pathParameter('shelf')], responses: { 200: found }, ...operation };
  return {
    openapi: '3.0.3',
    info: { title: 'Shelves', version: '1' },
    paths: { '/shelves/{shelf}/': { get }, ...paths },
    ...rest,
  };
}

const answering = (schema: object, openapi = '3.0.3'): object =>
  documentWith(
    { responses: { 200: { ...found, content: { 'application/json': { schema } } } } },
    { openapi },
  );
const secured = (scheme: object): object =>
  documentWith({}, { components: { securitySchemes: { login: scheme } } });

async function errorsOf(document: object): Promise<string[]> {
  const text = JSON.stringify(document);
  const { problems } = await lintContract({ file: 'shelves.json', text });
  return problems.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
}

describe('what every program reads alike is no error', () => {
  test.each<[string, object]>([
    ['no summary, servers, licence, security or operationId', documentWith({})],
    ['an answer without a description', documentWith({ responses: { 200: {} } })],
    ['an operation without answers', documentWith({ responses: undefined })],
    ['no version of the API', documentWith({}, { info: { title: 'Shelves' } })],
    ['a member that OpenAPI does not have', documentWith({ colour: 'blue' })],
    ['a name at a scheme of HTTP', secured({ type: 'http', scheme: 'bearer', name: 'Token' })],
    ['a list of types in OpenAPI 3.0', answering({ type: ['string', 'null'] })],
    ['named examples of a schema', answering({ type: 'string', examples: { a: 'b' } }, '3.1.0')],
    ['a keyword without effect', answering({ type: 'object', items: { type: 'string' } })],
    [
      'a name of a schema with brackets',
      documentWith({}, { components: { schemas: { 'A<B>': {} } } }),
    ],
    [
      'another method on the same path, with another parameter name',
      documentWith(
        {},
        {},
        {
          '/shelves/{id}/': {
            delete: { parameters: [pathParameter('id')], responses: { 204: found } },
          },
        },
      ),
    ],
  ])('%s', async (_name, document) => {
    expect(await errorsOf(document)).toEqual([]);
  });
});

describe('what breaks a client, the mock or a run is an error', () => {
  test.each<[string, object, string]>([
    [
      'a parameter without a place',
      documentWith({ parameters: [{ name: 'q' }, pathParameter('shelf')] }),
      'struct',
    ],
    ['a key without a name', secured({ type: 'apiKey', in: 'header' }), 'struct'],
    [
      'a scheme that is not declared',
      documentWith({ security: [{ none: [] }] }),
      'security-defined',
    ],
    ['properties that are a list', answering({ type: 'object', properties: [] }), 'struct'],
    ['nullable in OpenAPI 3.1', answering({ type: 'string', nullable: true }, '3.1.0'), 'struct'],
    [
      'an enum of another type',
      answering({ type: 'string', enum: [1, 2] }),
      'no-enum-type-mismatch',
    ],
    [
      'the same method on the same path, with another parameter name',
      documentWith(
        {},
        {},
        {
          '/shelves/{id}/': {
            get: { parameters: [pathParameter('id')], responses: { 200: found } },
          },
        },
      ),
      'no-identical-paths',
    ],
  ])('%s', async (_name, document, rule) => {
    expect(new Set(await errorsOf(document))).toEqual(new Set([rule]));
  });
});

test('a null that x-nullable allows is no wrong value of an enum', async () => {
  const schema = { type: 'string', enum: ['a', null], 'x-nullable': true };
  const get = { responses: { 200: { ...found, schema } } };
  const { openapi: _openapi, ...rest } = documentWith({});
  expect(await errorsOf({ swagger: '2.0', ...rest, paths: { '/shelves': { get } } })).toEqual([]);
});

test('a rule and a set that redocly.yaml names are as strict as it says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-levels-'));
  const file = join(folder, 'shelves.json');
  await writeFile(file, JSON.stringify(documentWith({})));
  const rulesOf = async (config: string): Promise<string[]> => {
    await writeFile(join(folder, 'redocly.yaml'), config);
    const { problems } = await lintContract(file);
    const errors = problems.filter(({ severity }) => severity === 'error');
    return errors.map(({ rule, isStyle }) => `${rule}${isStyle === true ? ', style' : ''}`);
  };
  expect(await rulesOf('rules: { operation-summary: error }')).toEqual([
    'operation-summary, style',
  ]);
  expect(await rulesOf('extends: recommended')).toContain('security-defined, style');
  await rm(folder, { recursive: true });
});
