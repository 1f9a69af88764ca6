import type { Place } from '../errors.ts';
import type { Pointer } from '../json/pointer.ts';

/**
 * `error` makes the contract unsound and `vouch lint` fail; `warning` and `note` do not. A note is
 * a place where the contract is silent.
 */
export type LintSeverity = 'error' | 'warning' | 'note';

/** One thing that is wrong with a document, or missing from it. */
export interface LintProblem {
  /** Redocly's id of its rule (`operation-summary`), or ours (`vouch/default-valid`). */
  readonly rule: string;
  readonly severity: LintSeverity;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly place: Place;
  /** The lines around `place`. */
  readonly frame: string;
  readonly pointer?: Pointer;
  /** What to write instead. */
  readonly hint?: string;
  /** The address of a page that says more. */
  readonly documentation?: string;
}

/** All problems of a document, in the order of its lines. */
export interface LintReport {
  readonly file: string;
  readonly problems: readonly LintProblem[];
  readonly counts: Readonly<Record<LintSeverity, number>>;
}
