import { expect, test } from 'vitest';
import { latencyOf } from '../../../src/check/reading/latency.ts';

const upTo = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => count - index);

test.each<[string, readonly number[], ReturnType<typeof latencyOf>]>([
  ['nothing', [], undefined],
  ['one answer', [7], { count: 1, p50: 7, p95: 7, max: 7 }],
  ['two: the slower one never stands for both', [900, 5], { count: 2, p50: 5, p95: 5, max: 900 }],
  ['three', [30, 10, 20], { count: 3, p50: 20, p95: 20, max: 30 }],
  ['a hundred', upTo(100), { count: 100, p50: 50, p95: 95, max: 100 }],
])('how long %s took', (_name, durations, expected) => {
  expect(latencyOf(durations)).toEqual(expected);
});
