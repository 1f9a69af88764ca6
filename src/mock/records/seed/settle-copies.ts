import { plainName } from '../../../contract/infer/infer-names.ts';
import type { CopyField, Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import type { Store } from '../../../store/store.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { collectionName, isView } from '../collection-name.ts';
import { getRecord, textOf } from '../find-record.ts';
import { givenMembers } from '../make/request-members.ts';
import { visible } from '../show/present-record.ts';
import { fieldsOf, shapeOf } from '../record-fields.ts';

/** Where copied records are looked up, and the request that names them. */
interface CopySource {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

/**
 * A record whose copies of other records show what those have: `customer: { id, name }` beside
 * `customerId`. A copy stays as it is if its record is not known, or if the change is not valid.
 */
export async function settleCopies(record: JsonObject, source: CopySource): Promise<JsonObject> {
  let settled = record;
  for (const copy of source.resource.copies) {
    const shown = await copyOf(settled, copy, source);
    const changed = shown === undefined ? settled : { ...settled, [copy.field]: shown };
    const isValid = source.resource.record.validate(visible(changed), 'response').length === 0;
    if (isValid) settled = changed;
  }
  return settled;
}

async function copyOf(
  record: JsonObject,
  { field, key, resource: target }: CopyField,
  source: CopySource,
): Promise<JsonObject | undefined> {
  const { request, resource, store } = source;
  const id = givenKey(key, source) ?? fieldValue(record, key);
  const place = shapeOf(resource).fields.get(field);
  const isBelowOthers = target.parents.length > 0 && !isView(target);
  if (id === undefined || id === null || place === undefined || isBelowOthers) return undefined;
  const collection = { session: request.session, name: collectionName(target, []) };
  const found = await getRecord(collection, textOf(id), store);
  if (found === undefined) return undefined;
  const shown = record[field];
  const shared = [...fieldsOf(place.schema).keys()].filter((name) =>
    Object.hasOwn(found.record, name),
  );
  return {
    ...(shown !== undefined && isJsonObject(shown) ? shown : {}),
    ...Object.fromEntries(shared.map((name) => [name, found.record[name] ?? null])),
  };
}

/** The key of a copy as a request names it: `customerId` for `customer.id`. */
function givenKey(key: string, { request, resource }: CopySource): JsonValue | undefined {
  const given = isJsonObject(request.body) ? request.body : givenMembers(request, resource);
  return Object.entries(given).find(([name]) => plainName(name) === plainName(key))?.[1];
}
