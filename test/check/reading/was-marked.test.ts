import { expect, test } from 'vitest';
import { wasMarked } from '../../../src/check/reading/removed-record.ts';
import type { JsonObject } from '../../../src/json/value.ts';

test.each<[title: string, before: JsonObject, after: JsonObject, marked: boolean]>([
  ['a state', { status: { state: 'active' } }, { status: { state: 'expired' } }, true],
  ['a flag', { enabled: true }, { enabled: false }, true],
  ['nothing', { name: 'a', status: 'active' }, { name: 'a', status: 'active' }, false],
  ['a time', { updatedAt: '2026-01-01T00:00:00Z' }, { updatedAt: '2026-01-02T00:00:00Z' }, false],
  ['a number', { views: 1 }, { views: 2 }, false],
  ['a member that is not shown', { status: 'active' }, {}, false],
])('a deletion that changes %s: %#', (_title, before, after, marked) => {
  expect(wasMarked(before, after)).toBe(marked);
});
