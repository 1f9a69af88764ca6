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

/**
 * Why an operation answered no success: the plan leaves it out, or none of its requests could be
 * sent or was accepted.
 */
export type ShutCode =
  /** It may touch records that the request does not name. */
  | 'effect'
  | 'read-only'
  /** It changes a record, and the run has none of its own there. */
  | 'no-own-record'
  /** Nothing shows which values a parameter of its path has. */
  | 'unknown-value'
  /** The user, or the contract, takes it out. */
  | 'excluded'
  /** No valid request can be written for it. */
  | 'unwritable'
  /** It may be sent, and no request is planned for it. */
  | 'unplanned'
  /** The run ended before. */
  | 'run-ended'
  /** The service refuses the credential, or asks for one. */
  | 'credential'
  | 'not-found'
  | 'refused'
  | 'failed'
  | 'no-answer';

/** Why an operation gets no request. */
export interface WhySkipped {
  readonly code: ShutCode;
  /** A clause that begins with a small letter. */
  readonly reason: string;
  /** What would open it: a flag, or a member of the configuration. */
  readonly opens?: string;
}

/** An operation that no request is planned for, and why. */
export interface SkippedOperation extends WhySkipped {
  readonly operation: Operation;
}

/** What a case is worth where not everything can be sent: the lower, the more it tells. */
export type Priority = 0 | 1 | 2 | 3;
