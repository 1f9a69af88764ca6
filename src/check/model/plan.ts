import type { Operation } from '../../contract/model.ts';
import type { Sequence } from './case.ts';
import type { Phase } from './phase.ts';

/** Sequences that may be sent side by side; a stage begins when the one before it is done. */
export interface Stage {
  readonly phase: Phase;
  readonly sequences: readonly Sequence[];
}

/**
 * Everything that a run will send but for confirmations and clean-up. The same request for a plan
 * gives the same plan.
 */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** How much each case tells, by its id, where the plan is ordered by that. */
  readonly worths?: ReadonlyMap<string, Priority>;
}

/** An operation that no request is planned for, and why. */
export interface SkippedOperation {
  readonly operation: Operation;
  /** A clause that begins with a small letter. */
  readonly reason: string;
}

/** What a case is worth where not everything can be sent: the lower, the more it tells. */
export type Priority = 0 | 1 | 2 | 3;
