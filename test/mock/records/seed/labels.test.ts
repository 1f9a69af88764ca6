import { expect, test } from 'vitest';
import { Labels } from '../../../../src/mock/records/seed/labels.ts';

test('a record gets another seed while its label is that of an earlier one', () => {
  const labels = new Labels();
  const asked: string[] = [];
  const make = (seed: string): { name: string } => {
    asked.push(seed);
    return { name: seed.includes('2') ? 'second' : 'first' };
  };
  expect(['a', 'b 2', 'c'].map((seed) => labels.distinct(seed, make))).toEqual([
    { name: 'first' },
    { name: 'second' },
    { name: 'first' },
  ]);
  expect(asked).toEqual(['a', 'b 2', 'c', 'c other 1']);
});

test('a label that every seed gives is asked for once more, and then no more', () => {
  const labels = new Labels();
  let count = 0;
  const make = (): { title: string } => {
    count += 1;
    return { title: 'Setup fee' };
  };
  for (const seed of ['a', 'b', 'c', 'd']) labels.distinct(seed, make);
  expect(count).toBe(5);
});
