import type { Sequence, Stage } from '../../model/case.ts';

/**
 * How many answers a plan waits for one after the other, with at most `atOnce` requests in flight:
 * times the usual time of an answer, it is about what the plan takes where that time is long. A
 * stage takes as long as its longest sequence, or as all its requests if they are in flight as soon
 * as possible.
 */
export function roundsOf(stages: readonly Stage[], atOnce: number): number {
  return stages.reduce((sum, { sequences }) => {
    const requests = sequences.reduce((count, { cases }) => count + cases.length, 0);
    const longest = sequences.reduce((most, sequence) => Math.max(most, lengthOf(sequence)), 0);
    return sum + Math.max(longest, Math.ceil(requests / atOnce));
  }, 0);
}

function lengthOf({ cases, concurrent }: Sequence): number {
  return concurrent === true ? 1 : cases.length;
}
