import { expect, test } from 'vitest';
import { SortedList } from '../../../src/store/query/overlay-views.ts';
import { fc } from '../../property.ts';

const compare = (left: number, right: number): number => left - right;

test('a sorted list equals a sorted array, over many chunks', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: 20_000 }), { minLength: 0, maxLength: 6000, size: 'max' }),
      fc.infiniteStream(fc.nat()),
      (numbers, stream) => {
        const list = new SortedList(compare);
        const held = new Set<number>();
        for (const number of numbers) {
          list.add(number);
          held.add(number);
          if (stream.next().value % 3 !== 0) continue;
          const gone = [...held][stream.next().value % held.size] ?? 0;
          expect(list.remove(gone)).toBe(true);
          expect(list.remove(gone)).toBe(false);
          held.delete(gone);
        }
        const sorted = [...held].sort(compare);
        expect(list.length).toBe(sorted.length);
        expect([...list.from(0)]).toEqual(sorted);
        for (const index of [
          1,
          sorted.length >> 1,
          sorted.length - 1,
          sorted.length,
          sorted.length + 5,
        ])
          expect([...list.from(index)].slice(0, 3)).toEqual(
            sorted.slice(Math.max(0, index), Math.max(0, index) + 3),
          );
        for (const probe of [0, 1, 9999, 20_001, ...sorted.slice(0, 20)]) {
          expect(list.rank(probe)).toBe(sorted.filter((number) => number < probe).length);
          expect(list.has(probe)).toBe(held.has(probe));
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a sorted input is used unchanged, and can grow at any position', () => {
  const even = Array.from({ length: 5000 }, (_, index) => index * 2);
  const list = new SortedList(compare, even);
  for (const number of [9999, 10_001, -1, 4001, 1]) list.add(number);
  expect([...list.from(0)]).toEqual([...even, 9999, 10_001, -1, 4001, 1].sort(compare));
});
