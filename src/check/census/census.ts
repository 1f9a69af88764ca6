import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { RecordName } from '../memory/ownership.ts';

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

/** A record that is named in a report. */
export interface NamedRecord {
  readonly resource: string;
  readonly identifier: string;
}

/** What became of the records that were there before a run, and what is there now that was not. */
export interface CensusReport {
  /** How many lists were read before the first change, and how many records they showed. */
  readonly lists: number;
  readonly records: number;
  /** Records that were there before, that the run did not create, and that are gone. */
  readonly gone: readonly NamedRecord[];
  /** The same, with other values than before; `fields` are their members that differ. */
  readonly changed: readonly (NamedRecord & { readonly fields: readonly string[] })[];
  /** Records that were not there before and that the run does not know as its own. */
  readonly appeared: readonly (NamedRecord & { readonly isMarked: boolean })[];
  /** Whether others write to the target at the same time, so that nobody can be accused. */
  readonly isBusy: boolean;
}

/** The name of a record within a list. */
export function keyOfRecord(identifier: JsonValue): string {
  return String(identifier);
}
