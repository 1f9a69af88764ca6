import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Case } from './case.ts';

/** What the parameters of a record's path hold, by the segment that each fills, counted from 0. */
export type PathValues = ReadonlyMap<number, JsonValue>;

/** A record by its identifier, and by what it stands below. */
export interface RecordName {
  readonly resource: Resource;
  readonly identifier: JsonValue;
  readonly parents: PathValues;
}

/** A record that the run created. */
export interface CreatedRecord {
  readonly resource: Resource;
  readonly identifier: JsonValue;
  /** What it stands below; empty where its collection's path has no parameters. */
  readonly parents: PathValues;
}

/** A record that another identity than the run's created. */
export interface ForeignRecord extends CreatedRecord {
  readonly identity: string;
}

/** A record that the run did not create and has changed. */
export interface ChangedRecord {
  /** The case that changed it. */
  readonly change: Case;
  /** What was read before. */
  readonly original: JsonValue;
}

/** The records that a step made and deleted. */
export interface RecordChanges {
  readonly made?: CreatedRecord;
  readonly lost: readonly CreatedRecord[];
}

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
