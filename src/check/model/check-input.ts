import type { Contract, Operation } from '../../contract/model.ts';
import type { RunKnowledge } from './knowledge.ts';
import type { Step } from './step.ts';

/**
 * Everything that a check may look at: a step, the steps of its sequence before it, and what the
 * run knows.
 */
export interface CheckInput extends Step {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly earlier: readonly Step[];
  readonly knowledge: RunKnowledge;
}
