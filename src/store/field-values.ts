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
