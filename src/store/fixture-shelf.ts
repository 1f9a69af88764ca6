import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { freezeRecord } from './freeze-json.ts';
import type { StoredRecord } from './store.ts';

/** The records of one collection that every session starts with. Frozen: sessions share it. */
export interface FixtureShelf {
  readonly records: readonly StoredRecord[];
  readonly byId: ReadonlyMap<string, JsonObject>;
  /** The greatest integer among the identifiers, and never less than 0. */
  readonly greatest: bigint;
}

/** The shelf of a collection that has no fixtures. */
export const emptyShelf: FixtureShelf = { records: Object.freeze([]), byId: new Map(), greatest: 0n };

/** Copies and freezes the fixtures of one collection. Throws a VouchError ('fixture-invalid') where two have one identifier. */
export function makeFixtureShelf(collection: string, fixtures: readonly StoredRecord[]): FixtureShelf {
  const records = fixtures.map(({ id, record }) => Object.freeze({ id, record: freezeRecord(record) }));
  const byId = new Map(records.map(({ id, record }) => [id, record]));
  if (byId.size < records.length) throw sameId(collection, records);
  return { records: Object.freeze(records), byId, greatest: records.reduce((greatest, { id }) => greaterOf(greatest, id), 0n) };
}

function sameId(collection: string, records: readonly StoredRecord[]): VouchError {
  const seen = new Set<string>();
  const twice = records.find(({ id }) => seen.has(id) || !seen.add(id));
  return new VouchError('fixture-invalid', `Two fixtures of ${collection} have the identifier ${twice?.id ?? ''}.`, { hint: 'Give each record an identifier of its own.' });
}

const integer = /^-?[0-9]+$/;

/** The greater of an integer and an identifier; an identifier that is no integer counts for nothing. */
export function greaterOf(greatest: bigint, id: string): bigint {
  if (!integer.test(id)) return greatest;
  const number = BigInt(id);
  return number > greatest ? number : greatest;
}
