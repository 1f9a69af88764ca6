import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Case } from '../case.ts';
import type { PathValues } from './path-values.ts';

/** A record that the run created. */
export interface CreatedRecord {
  readonly resource: Resource;
  readonly identifier: JsonValue;
  /** What it stands below; empty where its collection's path has no parameters. */
  readonly parents: PathValues;
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
