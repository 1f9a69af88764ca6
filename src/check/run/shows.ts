import type { Violation } from '../checks/check.ts';
import { type Court, judgeStep, type Suspicion } from '../judge/judge.ts';
import type { Step } from '../model/step.ts';

/**
 * What the same check says of the last step, at the same place and for the same cause; undefined
 * where it says nothing.
 */
export function showsAgain(
  { check, violation, sequence }: Pick<Suspicion, 'check' | 'violation' | 'sequence'>,
  steps: readonly Step[],
  court: Court,
): Violation | undefined {
  const judged = judgeStep({ ...court, checks: [check] }, sequence, steps);
  return judged.suspicions
    .map((other) => other.violation)
    .find((other) => other.at === violation.at && (other.cause ?? '') === (violation.cause ?? ''));
}
