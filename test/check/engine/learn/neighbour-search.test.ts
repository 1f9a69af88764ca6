import { expect, test } from 'vitest';
import { NeighbourSearch } from '../../../../src/check/engine/learn/neighbour-search.ts';
import type { JsonValue } from '../../../../src/json/value.ts';

/** The plans that the search names in turn, for refusals of all but one of them. */
function triedPlans(text: string): JsonValue[] {
  const planned = { lines: [{ count: 1, plan: { id: 'made-up' } }] };
  const records = [
    { id: 'p1', state: 'Draft' },
    { id: 'p2', state: 'Draft' },
    { id: 'p3', state: 'Active' },
  ];
  const search = new NeighbourSearch({
    planned,
    seen: () => [],
    listed: () => [],
    referred: (name, told = '') =>
      name === 'plan'
        ? records
            .toSorted((one, other) => +told.includes(other.state) - +told.includes(one.state))
            .map(({ id }) => id)
        : [],
    write: () => planned,
    now: new Date('2026-03-01T12:00:00Z'),
  });
  const tried: JsonValue[] = [];
  for (let tries = 0; tries < 10; tries += 1)
    for (const { at, to } of search.next({ status: 400, text }) ?? [])
      if (at === '/lines/0/plan/id' && to.kind === 'value') tried.push(to.value);
  return tried;
}

test('an object that names a record gets others in its place, where it is refused', () => {
  expect(triedPlans('That is not possible.')).toEqual(['p1', 'p2', 'p3']);
});

test('the record comes first of which the refusal tells a value', () => {
  expect(triedPlans('It has to be Active.')[0]).toBe('p3');
});
