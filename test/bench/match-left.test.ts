import { expect, test } from 'vitest';
import { matchLeft, type LeftEntry } from '../../bench/services/match-left.ts';
import type { CensusRecord, Kind } from '../../bench/services/service.ts';

const kinds: readonly Kind[] = [
  { name: 'bucket', createdBy: ['POST /buckets'] },
  { name: 'group', createdBy: ['POST /buckets/{id}/groups'] },
];

const operations = [
  { id: 'createBucket', method: 'POST', path: '/buckets' },
  { id: 'createGroup', method: 'post', path: '/buckets/{id}/groups' },
];

const record = (kind: string, ...names: readonly string[]): CensusRecord => ({
  kind,
  id: names[0] ?? '',
  names,
  content: {},
});

const entry = (operation: string, text: string): LeftEntry => ({
  operation,
  record: text,
  reason: 'its deletion returned 500',
});

const unnamedOf = (left: readonly CensusRecord[], entries: readonly LeftEntry[]): string[] =>
  matchLeft(left, entries, { kinds, operations }).unnamed.map(({ kind, id }) => `${kind} ${id}`);

test('nothing is reported without entries', () => {
  expect(unnamedOf([record('bucket', 'a')], [])).toEqual(['bucket a']);
});

test('an entry names its records by their identifiers', () => {
  const left = [record('bucket', 'a'), record('bucket', 'b'), record('bucket', 'c')];
  expect(unnamedOf(left, [entry('createBucket', '2 records (id "a", "b")')])).toEqual(['bucket c']);
});

test('a record has several identifiers, and any of them names it', () => {
  expect(unnamedOf([record('group', '17', 'staff')], [entry('createGroup', 'name staff')])).toEqual(
    [],
  );
});

test.each([['id 117'], ['id 17a'], ['id b_17'], ['id 171']])('%s does not name 17', (text) => {
  expect(unnamedOf([record('bucket', '17')], [entry('createBucket', text)])).toEqual(['bucket 17']);
});

test('a short identifier in an entry of another kind names nothing', () => {
  expect(unnamedOf([record('group', '17')], [entry('createBucket', 'id 17')])).toEqual([
    'group 17',
  ]);
});

test('a long identifier in an entry of another kind names its record', () => {
  const id = '76ada7b0-49ae-4229-91c4-396a36f18e09';
  expect(unnamedOf([record('group', id)], [entry('createBucket', `id ${id}`)])).toEqual([]);
});

test('a name is found as a report writes it, as JSON', () => {
  const left = [record('bucket', 'bell\u0007tab\t')];
  expect(unnamedOf(left, [entry('createBucket', 'name "bell\\u0007tab\\t"')])).toEqual([]);
});

test('records that are counted without identifiers are named as often as the count says', () => {
  const left = [record('bucket', 'a'), record('bucket', 'b'), record('bucket', 'c')];
  const counted = entry('createBucket', '2 records of POST /buckets, identifiers unknown');
  expect(unnamedOf(left, [counted])).toEqual(['bucket c']);
});

test('a record that is named by its identifier does not use up a count', () => {
  const left = [record('bucket', 'a'), record('bucket', 'b')];
  const counted = entry('createBucket', '1 record of POST /buckets, identifier unknown');
  expect(unnamedOf(left, [counted, entry('createBucket', 'id b')])).toEqual([]);
});

test('a count is of the kinds that its operation creates', () => {
  const counted = entry('createBucket', '5 records of POST /buckets, identifiers unknown');
  expect(unnamedOf([record('group', 'g')], [counted])).toEqual(['group g']);
});

test.each([
  ['2 records of POST /buckets, identifiers unknown', 2],
  ['up to 2 records of POST /buckets, identifiers unknown', 2],
  ['what 1 request to POST /buckets did', 1],
  ['2 records of POST /buckets ("x", "y")', 0],
])('without a code, %j counts %i', (text, count) => {
  const left = ['a', 'b', 'c'].map((id) => record('bucket', id));
  expect(unnamedOf(left, [entry('createBucket', text)])).toHaveLength(3 - count);
});

test.each([
  ['identifier-unknown', 2],
  ['unanswered', 2],
  ['delete-failed', 0],
])('with the code %s, two are counted as %i', (code, count) => {
  const left = ['a', 'b', 'c'].map((id) => record('bucket', id));
  const counted = { ...entry('createBucket', 'some'), code, count: 2 };
  expect(unnamedOf(left, [counted])).toHaveLength(3 - count);
});

test('an operation may be written as its method and path', () => {
  const counted = entry('POST /buckets', '1 record of POST /buckets, identifier unknown');
  expect(unnamedOf([record('bucket', 'a')], [counted])).toEqual([]);
});

test('an empty identifier names nothing', () => {
  expect(unnamedOf([record('bucket', '')], [entry('createBucket', 'id ""')])).toEqual(['bucket ']);
});
