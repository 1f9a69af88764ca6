import type { Mutator } from '../check/mutants/mutant.ts';
import type { Check } from '../check/topics/check.ts';
import { checks } from '../check/topics/index.ts';

/** Every kind of mutation that can be planted, in the order of the checks that it belongs to. */
export const mutators: readonly Mutator[] = (
  await Promise.all(
    checks.flatMap(({ mutants = [] }: Check) => mutants).map(async (load) => load()),
  )
).flat();
