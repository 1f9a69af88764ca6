import type { Resource } from '../../contract/model.ts';
import { clearsField } from '../../contract/words/mentions.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Collection, Store, StoredRecord } from '../../store/store.ts';
import type { Acting } from '../model/request.ts';
import { among, collectionsBelow, recordsWhere } from './collections-below.ts';
import { isView } from './collection-name.ts';
import { oncePerPlan } from './find-record.ts';
import { fieldsOf } from './record-fields.ts';
import { visible } from './show/present-record.ts';

/** The fields elsewhere that a deletion says it clears: `Sets their author to null.` */
const clearedBy = oncePerPlan(({ operation, contract }, { collection }) =>
  contract.resources
    .filter((child) => !isView(child))
    .flatMap((child) =>
      child.foreignKeys
        .filter(({ resource, many }) => !many && resource.collection === collection)
        .filter(({ field }) => clearsField(operation, field))
        .map(({ field }) => ({ child, field })),
    ),
);

/** Clears the fields of other records that name a deleted one, where the deletion says so. */
export async function clearReferences(
  { id, record }: StoredRecord,
  { request, resource, store }: Acting,
): Promise<void> {
  const { session, plan } = request;
  const value = record[resource.identifier.field] ?? id;
  for (const { child, field } of clearedBy(plan, resource))
    for (const collection of await collectionsBelow([], child, { session, store }))
      await clearIn(collection, { child, field, value }, store);
}

interface Cleared {
  readonly child: Resource;
  readonly field: string;
  /** The identifier that the field has, and loses. */
  readonly value: JsonValue;
}

async function clearIn(
  collection: Collection,
  { child, field, value }: Cleared,
  store: Store,
): Promise<void> {
  const naming = await recordsWhere(store, collection, [among(field, [value])]);
  for (const { id, record: before } of naming) {
    const record = withoutValue(before, field, child);
    const isAllowed = child.record.validate(visible(record), 'response').length === 0;
    if (isAllowed) await store.replace(collection, { id, record });
  }
}

/** A record without the value of a field: null, or without the field where that is not allowed. */
export function withoutValue(
  record: JsonObject,
  field: string,
  { record: schema }: Resource,
): JsonObject {
  if (fieldsOf(schema).get(field)?.schema.accepts(null, 'response') === true)
    return { ...record, [field]: null };
  const { [field]: _cleared, ...rest } = record;
  return rest;
}
