/**
 * A request that may change the target, about to leave: told by its number in the run. Holds no
 * query and no body.
 */
export interface IntendedWrite {
  readonly write: number;
  readonly method: string;
  /** Origin and path, redacted. */
  readonly url: string;
  /**
   * Its body bears no mark of the run: what it makes can be known by its answer alone. Left out
   * where there is a mark, or nothing can be made.
   */
  readonly unmarked?: true;
}

/** A record that a run made, as plain data: values stand in it as JSON text, digit for digit. */
export interface NotedRecord {
  readonly resource: string;
  readonly identifier: string;
  /** What it stands below: the segment of the path, and the value there. */
  readonly parents: readonly (readonly [segment: number, json: string])[];
  /** Whether it was sent with the run's mark in one of its texts. */
  readonly marked: boolean;
}

/** What came of a write: an answer, or none; a record that was made, or deleted. */
export type SettledWrite =
  | { readonly type: 'answered'; readonly write: number; readonly status: number }
  | { readonly type: 'unanswered'; readonly write: number; readonly reason: string }
  /**
   * A request was accepted, and its answer does not show which record it made: `POST
   * http://…/things`.
   */
  | { readonly type: 'unidentified'; readonly request: string }
  | { readonly type: 'created'; readonly record: NotedRecord }
  | { readonly type: 'deleted'; readonly record: Pick<NotedRecord, 'resource' | 'identifier'> };

/**
 * Remembers what a run may have left on its target, so that it can be cleaned up after the run
 * itself was killed. Neither method throws: a run does not fail because its notes do.
 */
export interface CleanupLedger {
  /**
   * When it returns, the note outlives the process, however that ends: only then the request may
   * leave.
   */
  intend(write: IntendedWrite): void;
  /** The note outlives the process a moment later. */
  settle(settled: SettledWrite): void;
}
