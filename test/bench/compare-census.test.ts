import { expect, test } from 'vitest';
import { compareCensus } from '../../bench/services/compare-census.ts';
import type { Json } from '../../bench/services/json.ts';
import type { CensusRecord, Kind } from '../../bench/services/service.ts';

const kinds: readonly Kind[] = [
  { name: 'bucket', createdBy: ['POST /buckets'] },
  { name: 'setting', createdBy: [] },
  { name: 'request', createdBy: [], notLeft: 'an entry of the journal' },
];

const record = (kind: string, id: string, content: Json = {}): CensusRecord => ({
  kind,
  id,
  names: [id],
  content,
});

test('equal readings in any order have no difference', () => {
  const before = [record('bucket', 'a', { x: 1, y: { u: 1, v: 2 } }), record('bucket', 'b')];
  const after = [record('bucket', 'b'), record('bucket', 'a', { y: { v: 2, u: 1 }, x: 1 })];
  expect(compareCensus(before, after, kinds)).toEqual({ gone: [], changed: [], left: [] });
});

test('a record that is missing afterwards is gone', () => {
  const before = [record('bucket', 'a'), record('bucket', 'b')];
  const { gone, changed, left } = compareCensus(before, [record('bucket', 'b')], kinds);
  expect(gone.map(({ id }) => id)).toEqual(['a']);
  expect([changed, left]).toEqual([[], []]);
});

test('a changed record lists its different members, also added and removed ones', () => {
  const before = [record('bucket', 'a', { same: 1, other: 'old', lost: true })];
  const after = [record('bucket', 'a', { same: 1, other: 'new', added: [1] })];
  expect(compareCensus(before, after, kinds).changed).toEqual([
    {
      kind: 'bucket',
      id: 'a',
      members: {
        other: { before: 'old', after: 'new' },
        lost: { before: true, after: null },
        added: { before: null, after: [1] },
      },
    },
  ]);
});

test('content that is not an object is compared as a whole', () => {
  const before = [record('setting', 'recording', false), record('setting', 'list', [1, 2])];
  const after = [record('setting', 'recording', true), record('setting', 'list', [2, 1])];
  expect(compareCensus(before, after, kinds).changed.map(({ members }) => members)).toEqual([
    { '': { before: false, after: true } },
    { '': { before: [1, 2], after: [2, 1] } },
  ]);
});

test('the same identifier in another kind is another record', () => {
  const { gone, left } = compareCensus([record('bucket', 'a')], [record('setting', 'a')], kinds);
  expect(gone.map(({ kind }) => kind)).toEqual(['bucket']);
  expect(left.map(({ kind }) => kind)).toEqual(['setting']);
});

test('a new journal entry does not count as left, and a missing one counts as gone', () => {
  const { gone, left } = compareCensus([record('request', '1')], [record('request', '2')], kinds);
  expect(gone.map(({ id }) => id)).toEqual(['1']);
  expect(left).toEqual([]);
});
