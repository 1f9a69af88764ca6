import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Case } from './case.ts';

/** The values of the parameters in a record's path, by segment, counted from 0. */
export type PathValues = ReadonlyMap<number, JsonValue>;

/** A record by its identifier, and by its parents; none if its path has no other parameters. */
export interface RecordName {
  readonly resource: Resource;
  readonly identifier: JsonValue;
  readonly parents: PathValues;
}

/** A record that the run created. */
export interface CreatedRecord extends RecordName {
  /** What other paths to the same set call it, by the field that identifies records there. */
  readonly alsoNamed?: ReadonlyMap<string, JsonValue>;
}

/** What the paths of a resource call a record that was created, maybe through another path. */
export function nameUnder({ identifier }: Resource, record: CreatedRecord): JsonValue {
  return record.alsoNamed?.get(identifier.field) ?? record.identifier;
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

/** The records that a step created and deleted. */
export interface RecordChanges {
  readonly made?: CreatedRecord;
  readonly lost: readonly CreatedRecord[];
  /** The step says that it made a record, and shows one that an earlier step made. */
  readonly isRepeated?: true;
}

/** Why records stay on the target. */
export type LeftCode =
  /** The contract has no operation that deletes them. */
  | 'no-delete-operation'
  /** The operation that deletes them is not part of the run. */
  | 'delete-not-in-run'
  /** Their deletion could not be sent, or was refused. */
  | 'delete-failed'
  /** The target refused the credential of the run for their deletion. */
  | 'delete-unauthorised'
  /** The run has not deleted them yet: its report was written before its clean-up. */
  | 'not-deleted-yet'
  /** A changed record could not be restored. */
  | 'not-restored'
  /** A request was accepted, but its response did not show what it created. */
  | 'identifier-unknown'
  /** A request that may have created them got no response. */
  | 'unanswered'
  /** They appeared during the run, and no response shows what created them. */
  | 'appeared'
  /** They may have existed before the run. */
  | 'not-own';

/** Records that stay on the target, and the reason. */
export interface LeftRecords {
  /** The id of the operation that created or changed them. */
  readonly operation: string;
  readonly record: string;
  /** A clause. */
  readonly reason: string;
  readonly code: LeftCode;
  readonly count: number;
}

/** The key of a record by its collection and its identifier, whatever stands above it. */
export function namedKey({
  resource,
  identifier,
}: Pick<RecordName, 'resource' | 'identifier'>): string {
  return `${resource.collection} ${String(identifier)}`;
}
