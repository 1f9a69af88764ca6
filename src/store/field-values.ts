import { parseJson } from '../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The names that lead to a field: the name as it is, and where it has dots its parts. */
export type FieldPath = readonly string[];

/** Reads a field's name once, for many records. */
export function parseField(field: string): FieldPath {
  return field.includes('.') ? field.split('.') : [field];
}

/**
 * The value of a field; undefined where the record has none. A field that bears the whole dotted
 * name comes first.
 */
export function fieldValue(
  record: JsonObject,
  field: string,
  path: FieldPath = parseField(field),
): JsonValue | undefined {
  if (path.length === 1 || Object.hasOwn(record, field)) return own(record, field);
  let value: JsonValue | undefined = record;
  for (const name of path) {
    if (!isJsonObject(value)) return undefined;
    value = own(value, name);
  }
  return value;
}

/**
 * Every value for which a field stands: the items of a list, and what lies beyond the lists on its
 * way.
 */
export function fieldValues(
  record: JsonObject,
  field: string,
  path: FieldPath = parseField(field),
): readonly JsonValue[] {
  if (path.length > 1 && !Object.hasOwn(record, field)) return reach(record, path);
  const value = own(record, field);
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

function reach(value: JsonValue | undefined, path: FieldPath): readonly JsonValue[] {
  if (value === undefined) return [];
  if (isJsonArray(value))
    return value.flatMap((item) => (path.length === 0 ? [item] : reach(item, path)));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return isJsonObject(value) ? reach(own(value, name), rest) : [];
}

function own(record: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A copy of a record that nobody can change, at any depth. */
export function freezeRecord(record: JsonObject): JsonObject {
  // To copy all members at once takes a fraction of the time of one after the other; `__proto__` is
  // a member like any other then.
  const copy: Record<string, JsonValue> = { ...record };
  // `for…in` makes no list of the members.
  for (const name in copy) {
    const value = copy[name];
    if (typeof value === 'object' && value !== null && Object.hasOwn(copy, name))
      copy[name] = freezeValue(value);
  }
  return Object.freeze(copy);
}

function freezeValue(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // `Array.isArray` does not narrow a readonly array.
  if (Array.isArray(value)) return Object.freeze(value.map((item: JsonValue) => freezeValue(item)));
  return freezeRecord(value as JsonObject);
}

/**
 * Reads a record from the text that a driver wrote: whatever was let in once is let in again.
 * Throws where it is none.
 */
export function parseStored(text: string): JsonObject {
  const reading = parseJson(text, {
    maxDepth: 1000,
    duplicateKeys: 'allow',
    forbiddenKeys: [],
    loneSurrogates: 'allow',
  });
  if (!reading.ok) throw new Error(`a record cannot be read: ${reading.problem.reason}`);
  if (!isJsonObject(reading.value)) throw new Error('a record is no object');
  return reading.value;
}
