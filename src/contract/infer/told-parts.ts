import type { Resource } from '../model.ts';
import { namesLast } from '../words/names.ts';
import { countsAll, countsOthers } from '../words/read-counts.ts';
import { singularOf } from './infer-names.ts';
import { countedNoun } from './infer-shown-twice.ts';
import { recordFields, type RecordField } from './record-fields.ts';

/** The members of a record that tell something of what a noun names. */
export interface ToldParts {
  /** How many there are; `isExact`: nothing in the description leaves others out. */
  readonly counts: readonly { readonly field: string; readonly isExact: boolean }[];
  /** The last of them. */
  readonly lasts: readonly string[];
}

/** What the records of a resource tell of what a noun names: `reply_count`, `latest_reply`. */
export function toldOf({ record }: Resource, noun: string): ToldParts {
  const own = recordFields(record).filter(({ name, many }) => !many && !name.includes('.'));
  const isCount = (field: RecordField): boolean =>
    (countedNoun(field) === noun ||
      (field.types.join() === 'integer' && singularOf(field.name) === noun)) &&
    !countsOthers(field.flat, noun);
  return {
    counts: own
      .filter(isCount)
      .map(({ name, flat }) => ({ field: name, isExact: countsAll(flat, noun) })),
    lasts: own.flatMap(({ name, plain }) => (namesLast(plain, noun) ? [name] : [])),
  };
}
