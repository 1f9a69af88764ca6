import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { makeContract } from '../make-contract.ts';

const uuid = { type: 'string', format: 'uuid' };
const text = { type: 'string' };

/** The field by which the records under `/users/{parameter}` are identified. */
function identifierOf(
  parameter: string,
  schema: JsonObject,
  properties: JsonObject,
): string | undefined {
  const record = { type: 'object', properties };
  const body = (of: JsonObject): JsonObject => ({
    description: 'Fine',
    content: { 'application/json': { schema: of } },
  });
  const item = `/users/{${parameter}}`;
  const { resources } = makeContract({
    paths: {
      '/users': { get: { responses: { 200: body({ type: 'array', items: record }) } } },
      [item]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema }],
        get: { responses: { 200: body(record) } },
      },
    },
  });
  return resources.find(({ itemPath }) => itemPath === item)?.identifier.field;
}

describe('a field is not the identifier if the path has another kind of value', () => {
  test('a name, if the parameter is an id', () => {
    expect(identifierOf('user_id', { type: 'number' }, { name: text, uri: text })).not.toBe('name');
    expect(identifierOf('userId', text, { name: text })).not.toBe('name');
  });

  test('a slug, if the parameter is a UUID', () => {
    expect(identifierOf('user', uuid, { slug: text, name: text })).not.toBe('slug');
    expect(identifierOf('user', uuid, { key: text })).not.toBe('key');
  });

  test('a token, if the parameter has another pattern', () => {
    const hex = { type: 'string', pattern: '^[a-f0-9]{24}$' };
    const secret = { type: 'string', pattern: '^key_[a-z]+$' };
    expect(identifierOf('user_id', hex, { token: secret, label: text })).not.toBe('token');
    expect(identifierOf('user_token', hex, { token: hex })).toBe('token');
    expect(identifierOf('user_token', text, { token: secret })).toBe('token');
    expect(identifierOf('token', hex, { token: secret })).toBe('token');
  });
});

test.each<[string, string, JsonObject, JsonObject, string]>([
  ['a name, where the parameter is one', 'user', text, { name: text }, 'name'],
  ['a name, where the parameter says so', 'user_name', text, { name: text }, 'name'],
  ['an id without a format', 'user', uuid, { id: text, slug: text }, 'id'],
  ['a key in the form of a UUID', 'user', uuid, { key: uuid }, 'key'],
  ['a slug, where the parameter is text', 'user', text, { slug: text }, 'slug'],
])('a record is identified by %s', (_name, parameter, schema, properties, field) => {
  expect(identifierOf(parameter, schema, properties)).toBe(field);
});

const shows = (example: string): JsonObject => ({ type: 'string', example });

test.each<[string, JsonObject, string]>([
  ['whose value ends it', { url: shows('https://x.test/users/ann'), alias: shows('ann') }, 'alias'],
  ['itself, if a name differs from its end', { url: shows('/users/ann'), name: shows('A') }, 'url'],
  ['not at all, if a name shows nothing', { url: shows('/users/ann'), name: text }, 'name'],
  [
    'not at all, if it is of something below',
    { url: shows('/users/ann/pets'), name: text },
    'name',
  ],
  ['not at all, beside an id', { url: shows('/users/ann'), id: shows('7') }, 'id'],
])('the address that a record shows names the field %s', (_name, properties, field) => {
  expect(identifierOf('user', text, properties)).toBe(field);
});
