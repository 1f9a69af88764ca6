import { plainName } from '../../../contract/infer/infer-names.ts';
import type { CopyField, Resource } from '../../../contract/model.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import type { Acting } from '../../model/request.ts';
import { collectionName, isView } from '../collection-name.ts';
import { getRecord, textOf } from '../find-record.ts';
import { givenMembers } from '../make/request-members.ts';
import { visible } from '../show/present-record.ts';
import { fieldsOf, shapeOf } from '../record-fields.ts';

/**
 * A record whose copies of other records show what those have: `customer: { id, name }` beside
 * `customerId`. A copy stays as it is if its record is not known, or if the change is not valid.
 */
export async function settleCopies(record: JsonObject, source: Acting): Promise<JsonObject> {
  let settled = record;
  for (const copy of source.resource.copies) {
    const shown = await copiedRecord(settled, copy, source);
    if (shown !== undefined)
      settled = withCopy(settled, copy, { shown, resource: source.resource });
  }
  return settled;
}

/** The record that a copy shows; undefined if it is not known. */
async function copiedRecord(
  record: JsonObject,
  { key, resource: target }: CopyField,
  source: Acting,
): Promise<JsonObject | undefined> {
  const { request, store } = source;
  const id = givenKey(key, source) ?? fieldValue(record, key);
  const isBelowOthers = target.parents.length > 0 && !isView(target);
  if (id === undefined || id === null || isBelowOthers) return undefined;
  const collection = { session: request.session, name: collectionName(target, []) };
  return (await getRecord(collection, textOf(id), store))?.record;
}

/** A record whose copy shows what another record has; as it is if the contract forbids that. */
export function withCopy(
  record: JsonObject,
  { field }: CopyField,
  { shown, resource }: { readonly shown: JsonObject; readonly resource: Resource },
): JsonObject {
  const place = shapeOf(resource).fields.get(field);
  if (place === undefined) return record;
  const before = record[field];
  const shared = [...fieldsOf(place.schema).keys()].filter((name) => Object.hasOwn(shown, name));
  const copy = {
    ...objectOf(before),
    ...Object.fromEntries(shared.map((name) => [name, shown[name] ?? null])),
  };
  const changed = { ...record, [field]: copy };
  const isValid = resource.record.validate(visible(changed), 'response').length === 0;
  return isValid ? changed : record;
}

/** The key of a copy as a request names it: `customerId` for `customer.id`. */
function givenKey(key: string, { request, resource }: Acting): JsonValue | undefined {
  const given = isJsonObject(request.body) ? request.body : givenMembers(request, resource);
  return Object.entries(given).find(([name]) => plainName(name) === plainName(key))?.[1];
}
