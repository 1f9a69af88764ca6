/** Why records stay on the target. */
export type LeftCode =
  /** The contract has no operation that deletes them. */
  | 'no-delete-operation'
  /** The operation that deletes them is not part of the run. */
  | 'delete-not-in-run'
  /** Their deletion could not be sent, or was refused. */
  | 'delete-failed'
  /** The target did not accept the credential of the run for their deletion. */
  | 'delete-unauthorised'
  /** A changed record could not be put back. */
  | 'not-restored'
  /** An answer accepted a request and did not show what it made. */
  | 'identifier-unknown'
  /** A request that may have made them got no answer. */
  | 'unanswered'
  /** They appeared during the run, and no answer shows what made them. */
  | 'appeared'
  /** They may have been there before the run. */
  | 'not-own';

/** Records that stay behind on the target, and why. */
export interface LeftRecords {
  /** The id of the operation that made or changed them. */
  readonly operation: string;
  readonly record: string;
  /** A clause. */
  readonly reason: string;
  readonly code: LeftCode;
  readonly count: number;
}
