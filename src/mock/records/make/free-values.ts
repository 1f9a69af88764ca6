import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import { uniqueOfService } from '../../../contract/words/read-unique.ts';
import type { JsonObject } from '../../../json/value.ts';
import {
  type Collection,
  type MaybePromise,
  type Store,
  type StoredRecord,
  whenReady,
} from '../../../store/store.ts';
import { shapeOf } from '../record-fields.ts';

const uniqueNames = oncePerResource(({ record, identifier }) =>
  uniqueOfService(record).filter((name) => name !== identifier.field),
);

/** Where a new record is added, and the members that the client gave it. */
interface Addition {
  readonly store: Store;
  readonly collection: Collection;
  readonly given: JsonObject;
}

/**
 * A new record with values that no other record has, in the fields that the service sets and whose
 * descriptions call them unique: the next number. A value without a number stays.
 */
export function withFreeValues(
  record: JsonObject,
  resource: Resource,
  { store, collection, given }: Addition,
): MaybePromise<JsonObject> {
  const names = uniqueNames(resource).filter(
    (name) => typeof record[name] === 'string' && !Object.hasOwn(given, name),
  );
  if (names.length === 0) return record;
  return whenReady(store.list(collection), (others) =>
    names.reduce((made, name) => withFreeValue(made, name, { resource, others }), record),
  );
}

interface Beside {
  readonly resource: Resource;
  readonly others: readonly StoredRecord[];
}

function withFreeValue(record: JsonObject, name: string, { resource, others }: Beside): JsonObject {
  const held = new Set(others.map((other) => other.record[name]));
  const schema = shapeOf(resource).fields.get(name)?.schema;
  let text = String(record[name]);
  for (let tries = 0; held.has(text) && tries <= others.length; tries += 1) text = successor(text);
  const isFree = !held.has(text) && schema?.accepts(text, 'response') === true;
  return isFree && text !== record[name] ? { ...record, [name]: text } : record;
}

/** The text with the next number at its end: `2026-0001` becomes `2026-0002`. */
function successor(text: string): string {
  return text.replace(/\d{1,30}$/, (digits) =>
    String(BigInt(digits) + 1n).padStart(digits.length, '0'),
  );
}
