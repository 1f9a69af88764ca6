import type { Placement, Schema } from '../../contract/model.ts';
import { joinPointer, type Pointer, valueAt } from '../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import { placeValue } from '../../values/baseline.ts';
import { withOwnIdentifier } from '../reading/identifiers.ts';

/** Where a body lists the records that it creates, and the field that names each of them. */
export interface ListedRecords {
  /** The place of the list: `''` if it is the body. */
  readonly at: Pointer;
  /** The member of an entry that is the record; undefined if the entry is. */
  readonly wrapped: string | undefined;
  readonly field: string;
  readonly item: Schema;
}

/** The records in the body of a bulk create; undefined for other operations. */
export function listedRecords(placement: Placement | undefined): ListedRecords | undefined {
  if (placement?.kind !== 'bulk' || placement.action.does !== 'create') return undefined;
  const { records, wrapped, item, resource } = placement.action;
  const { field } = resource.identifier;
  return field === '' ? undefined : { at: records, wrapped, field, item };
}

/**
 * A body whose listed records have names that are in no use: those of an example may belong to
 * records that a service has.
 */
export function withListedNames(
  value: JsonValue,
  listed: ListedRecords,
  { salt, tested = '' }: { readonly salt: string; readonly tested?: Pointer | undefined },
): JsonValue {
  const entries = valueAt(value, listed.at);
  if (!isJsonArray(entries)) return value;
  return entries.reduce<JsonValue>((whole, _entry, index) => {
    const { at, wrapped, field, item } = listed;
    const place = joinPointer(at, index, ...(wrapped === undefined ? [] : [wrapped]));
    const record = valueAt(value, place);
    if (record === undefined || tested === joinPointer(place, field)) return whole;
    const own = { path: [field], schema: item, salt: `${salt}-${String(index)}` };
    return placeValue({ base: whole, full: value, at: place }, withOwnIdentifier(record, own));
  }, value);
}
