import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { document } from './bundled.ts';
import { judge } from './examples.ts';
import { readText, readYaml } from './files.ts';
import { list } from './node.ts';

const pets = recordsOf(readYaml('fixtures/pets.yaml'));
const exact = recordsOf(readYaml('fixtures/pets.yaml', { exact: true }));

describe('the initial pets of the mock', () => {
  test.each(pets)('$id $name conforms to the contract', (pet) => {
    expect(judge(document, '/components/schemas/Pet', pet)).toEqual([]);
    expect(
      Object.keys(pet).filter((field) => !['id', 'name', 'categoryId', 'status'].includes(field)),
    ).toEqual([]);
  });

  test('are numbered 1 to N, more than three pages of the default size', () => {
    expect(pets.map(({ id }) => id)).toEqual(pets.map((_, index) => index + 1));
    expect(pets.length).toBeGreaterThanOrEqual(64);
  });

  test.each([
    { status: 'available', atLeast: 16 },
    { status: 'pending', atLeast: 16 },
    { status: 'sold', atLeast: 16 },
    { status: undefined, atLeast: 8 },
  ])('show the status $status often enough to be filtered', ({ status, atLeast }) => {
    expect(pets.filter((pet) => pet['status'] === status).length).toBeGreaterThanOrEqual(atLeast);
  });

  test('have different names, some beyond ASCII', () => {
    const names = pets.map(({ name }) => String(name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /[^\p{ASCII}]/u.test(name)).length).toBeGreaterThanOrEqual(8);
    expect(names.map((name) => name.normalize('NFC'))).toEqual(names);
  });

  test('hold one category that a double cannot, with the reason on the line above', () => {
    expect(
      exact.flatMap(({ categoryId }) =>
        typeof categoryId === 'bigint' && !Number.isSafeInteger(Number(categoryId))
          ? [categoryId]
          : [],
      ),
    ).toEqual([9007199254740993n]);
    expect(readText('fixtures/pets.yaml')).toMatch(/ {2}# An int64 .+2\^53.+\n.+9007199254740993/);
  });
});

function recordsOf(fixtures: JsonObject): JsonObject[] {
  expect(Object.keys(fixtures)).toEqual(['pets']);
  return list(fixtures['pets']).filter(isJsonObject);
}
