import { expect, test } from 'vitest';
import { matchesSearch } from '../../web/console/record-search.ts';

const records = [1, 11, 15, 1.5].map((players) => ({
  id: String(players),
  parents: [],
  record: { players, title: `Round ${String(players)}`, open: players > 11 },
}));

test.each([
  ['players', '1', ['1']],
  ['players', ' 11 ', ['11']],
  ['players', '1.5', ['1.5']],
  ['players', 'one', []],
  ['players', '', ['1', '11', '15', '1.5']],
  ['title', '1', ['1', '11', '15', '1.5']],
  ['open', 'tr', ['15']],
  ['', '15', ['15']],
])('a search in %j for %j finds %j', (field, words, ids) => {
  const found = records.filter((record) => matchesSearch(record, { words, field }));
  expect(found.map(({ id }) => id)).toEqual(ids);
});
