import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../contract/infer/infer-names.ts';
import { openedOperation } from '../../contract/infer/open-envelopes.ts';
import { pathKeyOf } from '../../contract/infer/path-key.ts';
import { ownName } from '../../contract/infer/record-fields.ts';
import { openedRecord } from '../../contract/infer/record-view.ts';
import type { Resource } from '../../contract/model.ts';
import { type UniqueField, uniqueInChange } from '../../contract/words/read-unique.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Collection, MaybePromise, Store, StoredRecord } from '../../store/store.ts';
import { whenReady } from '../../store/store.ts';
import type { Acting } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { collectionsBelow, recordsOf } from '../records/collections-below.ts';
import { collectionOf, creationIn, getByOther, textOf } from '../records/find-record.ts';
import { isShownInBody } from '../records/make/body-fields.ts';
import { givenMembers } from '../records/make/request-members.ts';

/**
 * The refusal of a record that has a key of another one, by which paths find it; or the value of
 * another one in a field that descriptions call unique, where the operation documents 409, or a
 * code for it.
 */
export function takenValue(stored: StoredRecord, on: Acting): MaybePromise<Fault | undefined> {
  return whenReady(takenText(stored, on), (fault) => fault ?? takenKey(stored, on));
}

/** The refusal of a key that the client chose, and by which a path finds another record. */
function takenKey({ record }: StoredRecord, on: Acting): MaybePromise<Fault | undefined> {
  const { request, resource, store, earlier } = on;
  const key = pathKeyOf(resource);
  const value = key === undefined ? undefined : fieldValue(record, key);
  if (key === undefined || value === undefined || value === null || value === '') return undefined;
  const isChosen = fieldValue(givenMembers(request, resource), key) === value;
  const isKept = earlier !== undefined && fieldValue(earlier, key) === value;
  // An example of the contract is a valid request, regardless of the stored records.
  if (!isChosen || isKept || isShownInBody(value, key, on)) return undefined;
  const collection = collectionOf(request, resource);
  return whenReady(getByOther(collection, { others: [key], value }, store), (other) =>
    other === undefined ? undefined : taken(resource, value, key),
  );
}

function takenText(
  { id, record }: StoredRecord,
  { request, resource, store, earlier }: Acting,
): MaybePromise<Fault | undefined> {
  const { operation } = request.plan;
  const change = openedOperation(operation);
  const schema = change.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const creation = creationIn(request.plan);
  const fields =
    schema === undefined
      ? []
      : uniqueInChange(change, schema, creation && openedOperation(creation));
  const open = (held: JsonObject): JsonObject => openedRecord(resource.record, held);
  const [own, before] = [open(record), earlier && open(earlier)];
  // A value that a change leaves as it was is refused to nobody.
  const held = fields.filter(
    ({ name }) => typeof own[name] === 'string' && own[name] !== before?.[name],
  );
  if (held.length === 0) return undefined;
  const collection = collectionOf(request, resource);
  const isBeside = resource.parents.length > 0 && held.some(({ isGlobal }) => isGlobal);
  const others = isBeside ? recordsBeside(collection, resource, store) : [];
  return whenReady(store.list(collection), (records) =>
    whenReady(others, (beside) => {
      const siblings = records.filter((one) => earlier === undefined || one.id !== id);
      const field = held.find((one) =>
        (one.isGlobal === true ? [...siblings, ...beside] : siblings).some((other) =>
          sharesValue([own, record], [open(other.record), other.record], { field: one, resource }),
        ),
      );
      if (field === undefined) return undefined;
      const { name, fact } = field;
      const message = `Another record has this ${name}, and it is unique. Choose another.`;
      // Where codes alone tell refusals apart, they tell the field too.
      if (operation.verdict !== undefined)
        return makeFault('conflict', fact.value ?? 'conflict', message);
      const issues = [{ location: 'body', name, rule: 'unique', message } as const];
      return makeFault('conflict', 'conflict', message, { issues });
    }),
  );
}

/** A record by its fields, which it may keep in a group, and as it is. */
type Opened = readonly [fields: JsonObject, record: JsonObject];

/** Whether another record has the value of a record in a field, and what it is unique within. */
function sharesValue(
  [own, record]: Opened,
  [fields, other]: Opened,
  {
    field: { name, ignoresCase, within },
    resource,
  }: { readonly field: UniqueField; readonly resource: Resource },
): boolean {
  const place = placeWithin(resource, within);
  return (
    plainText(fields[name], ignoresCase) === plainText(own[name], ignoresCase) &&
    (place === undefined || fieldValue(other, place) === fieldValue(record, place))
  );
}

/** The records of a resource in its collections below other parents. */
async function recordsBeside(
  { session, name }: Collection,
  resource: Resource,
  store: Store,
): Promise<readonly StoredRecord[]> {
  const all = await collectionsBelow([], resource, { session, store });
  const others = all.filter((collection) => collection.name !== name);
  return recordsOf(others, store);
}

/** The field with what a value is unique within: `siteName` for `within the site`. */
function placeWithin({ foreignKeys }: Resource, within: string | undefined): string | undefined {
  if (within === undefined) return undefined;
  return foreignKeys.find(
    ({ resource }) => singularOf(lastWord(resource.collectionPath)) === singularOf(within),
  )?.field;
}

function plainText(value: JsonValue | undefined, ignoresCase: boolean): JsonValue | undefined {
  return ignoresCase && typeof value === 'string' ? value.toLowerCase() : value;
}

/** The refusal of an identifier, or of another key, that a record has already. */
export function taken(
  { identifier, name, record }: Resource,
  value: JsonValue,
  field = identifier.field,
): Fault {
  const key = ownName(record, field);
  const message = `A record of ${name} has the ${key} ${textOf(value)} already. Choose another.`;
  const issues = [{ location: 'body', name: key, rule: 'unique', message } as const];
  return makeFault('conflict', 'conflict', message, { issues });
}
