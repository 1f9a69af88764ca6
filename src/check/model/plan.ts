import type { Operation } from '../../contract/model.ts';
import type { Sequence } from './case.ts';
import type { Phase } from './phase.ts';

/** Sequences that may be sent in parallel; a stage begins after the previous one is complete. */
export interface Stage {
  readonly phase: Phase;
  readonly sequences: readonly Sequence[];
}

/** All requests of a run except confirmations and cleanup. Equal plan requests give equal plans. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** The priority of each case, by its id, if the plan is ordered by it. */
  readonly worths?: ReadonlyMap<string, Priority> | undefined;
}

/**
 * Why an operation had no success: the plan leaves it out, or none of its requests could be sent or
 * was accepted.
 */
export type ShutCode =
  /** It may touch records that the request does not name. */
  | 'effect'
  | 'read-only'
  /** It changes a record, and the run has no record of its own there. */
  | 'no-own-record'
  /** The values of a path parameter are unknown. */
  | 'unknown-value'
  /** The user, or the contract, excludes it. */
  | 'excluded'
  /** It stands on a server of its own, which nobody named. */
  | 'other-server'
  /** No valid request can be written. */
  | 'unwritable'
  /** It may be sent, but no request is planned. */
  | 'unplanned'
  /** The run ended before. */
  | 'run-ended'
  /** The service refuses the credential, or requires one. */
  | 'credential'
  | 'not-found'
  | 'refused'
  | 'failed'
  | 'no-answer';

/** Why an operation gets no requests. */
export interface WhySkipped {
  readonly code: ShutCode;
  /** A clause that begins with a small letter. */
  readonly reason: string;
  /** What would change it: a flag, or a member of the configuration. */
  readonly opens?: string | undefined;
}

/** An operation without planned requests, and the reason. */
export interface SkippedOperation extends WhySkipped {
  readonly operation: Operation;
}

/** The priority of a case if not everything can be sent: lower is more informative. */
export type Priority = 0 | 1 | 2 | 3;
