import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { makeContract } from '../make-contract.ts';

/** The path parameters of the one operation at a path. */
function pathParameters(path: string, ...parameters: JsonValue[]): [string, string[]][] {
  const get = { parameters, responses: { 200: { description: 'Fine' } } };
  const [operation] = makeContract({ paths: { [path]: { get } } }).operations;
  return (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => [name, [...schema.flatten().types]]);
}

const integer = (name: string): JsonValue => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
});

test('an undeclared path parameter is text', () => {
  expect(pathParameters('/a/{id}/b/{key}', integer('id'))).toEqual([
    ['id', ['integer']],
    ['key', ['string']],
  ]);
});

test('a parameter with another spelling in the path is matched', () => {
  expect(pathParameters('/pets/{petId}', integer('pet_id'))).toEqual([['petId', ['integer']]]);
});

test('a parameter that the path does not name is left out', () => {
  expect(pathParameters('/pets', integer('id'))).toEqual([]);
  expect(pathParameters('/pets/{name}', integer('id'))).toEqual([['name', ['string']]]);
});

test('a parameter in the query of a path template counts as named by the path', () => {
  expect(pathParameters('/pets?page={page}', integer('page'))).toEqual([['page', ['integer']]]);
  expect(pathParameters('/pets?page={page}')).toEqual([]);
});

test('an undeclared parameter and a declared one of another path share no schema', () => {
  expect(pathParameters('/pets/{id}')).toEqual([['id', ['string']]]);
});
