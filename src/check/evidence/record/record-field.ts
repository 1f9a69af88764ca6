import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/**
 * The value of a field in a record; undefined where the record does not show it. The name is dotted
 * where the field lies deeper: `owner.name`.
 */
export function fieldOf(record: JsonObject, field: string): JsonValue | undefined {
  if (Object.hasOwn(record, field)) return record[field];
  let value: JsonValue | undefined = record;
  for (const name of field.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/**
 * The single values of a field: those of a list one by one, and none where the record shows
 * nothing, or null.
 */
export function singleValues(record: JsonObject, field: string): JsonValue[] {
  const value = fieldOf(record, field);
  if (value === undefined || value === null) return [];
  // Array.isArray does not narrow a readonly array out of a union.
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((item) => item !== null)
    : [value];
}
