import { expect, test } from 'vitest';
import type { Census, CountedRecord } from '../../../../src/check/engine/census/take-census.ts';
import {
  findAppeared,
  findChanged,
  findMissing,
  restlessFields,
} from '../../../../src/check/engine/census/census-watch.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const [resource] = libraryContract().resources;
if (resource === undefined) throw new Error('The library has no resource.');
const books = resource;

function census(records: readonly JsonObject[], isWhole = true): Census {
  const counted = records.map((record): [string, CountedRecord] => {
    const identifier = record['id'] ?? '';
    return [String(identifier), { resource: books, identifier, parents: new Map(), record }];
  });
  return { lists: [{ key: 'listBooks', records: new Map(counted), isWhole }] };
}

const owns = (): boolean => false;
const dune: JsonObject = {
  id: 1,
  title: 'Dune',
  tags: ['sand', 'spice'],
  updatedAt: 'monday',
  loan: { to: 'Ada', last_seen: 1 },
};

test.each<[string, JsonObject, readonly string[]]>([
  ['nothing', dune, []],
  ['a text', { ...dune, title: 'Emma' }, ['title']],
  ['a member deeper inside', { ...dune, loan: { to: 'Bob', last_seen: 1 } }, ['loan']],
  ['a list that lost an item', { ...dune, tags: ['sand'] }, ['tags']],
  ['a list that got one more', { ...dune, tags: ['sand', 'spice', 'worm'] }, []],
  ['a time, which changes by itself', { ...dune, updatedAt: 'tuesday' }, []],
  ['a count, which a new record elsewhere changes', { ...dune, loans_count: 4 }, []],
  ['a time deeper inside', { ...dune, loan: { to: 'Ada', last_seen: 2 } }, []],
])('a record of others that differs in %s', (_what, after, fields) => {
  const changed = findChanged({ before: census([dune]), after: census([after]), owns });
  expect(changed.flatMap((record) => record.fields)).toEqual(fields);
});

test.each([
  ['certainly, where the list is whole', true],
  ['perhaps, where more records may stand behind what was read', false],
])('a record of others is missing: %s', (_how, isWhole) => {
  const missing = findMissing({ before: census([dune]), after: census([], isWhole), owns });
  expect(missing.map(({ isCertain }) => isCertain)).toEqual([isWhole]);
  expect(findMissing({ before: census([dune]), after: census([]), owns: () => true })).toEqual([]);
});

test('a record that appeared is reported with or without the mark of the run', () => {
  const after = census([
    dune,
    { id: 2, title: 'Road vouch-1a2b3c-000000' },
    { id: 3, title: 'Emma' },
  ]);
  const appeared = findAppeared({ before: census([dune]), after, mark: 'vouch-1a2b3c', owns });
  expect(appeared.map(({ isMarked }) => isMarked)).toEqual([true, false]);
  const inPart = findAppeared({ before: census([dune], false), after, mark: 'vouch-1a2b3c', owns });
  expect(inPart).toEqual([]);
});

test.each<[string, readonly JsonObject[], readonly string[]]>([
  [
    'most records changes by itself',
    [
      { id: 1, delay: 5 },
      { id: 2, delay: 6 },
    ],
    ['delay'],
  ],
  [
    'one record was written',
    [
      { id: 1, delay: 5 },
      { id: 2, delay: 4 },
    ],
    [],
  ],
])('a field that differs in %s', (_what, later, fields) => {
  const before = census([
    { id: 1, delay: 3 },
    { id: 2, delay: 4 },
  ]);
  const found = restlessFields({ before, after: census(later), owns });
  expect([...found].map((key) => key.split('\n')[1])).toEqual(fields);
});
