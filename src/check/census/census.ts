import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { RecordName } from '../model/record.ts';

/** A record of the target as a list showed it. */
export interface CountedRecord extends RecordName {
  readonly record: JsonObject;
}

/** What one list showed: its first pages, up to a bound. */
export interface CountedList {
  /** The id of the list's operation, and what its path names: the same list has the same key. */
  readonly key: string;
  readonly records: ReadonlyMap<string, CountedRecord>;
  /** Whether nothing stands behind what was read. */
  readonly isWhole: boolean;
}

/** The records of a target at one moment, as far as its lists show them. */
export interface Census {
  readonly lists: readonly CountedList[];
}

/** The name of a record within a list. */
export function keyOfRecord(identifier: JsonValue): string {
  return String(identifier);
}
