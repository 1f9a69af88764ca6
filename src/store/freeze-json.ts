import type { JsonObject, JsonValue } from '../json/value.ts';

/** A copy of a record that nobody can change, at any depth. */
export function freezeRecord(record: JsonObject): JsonObject {
  const members = Object.entries(record).map(([key, value]) => [key, freezeValue(value)] as const);
  return Object.freeze(Object.fromEntries(members));
}

function freezeValue(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // `Array.isArray` does not narrow a readonly array.
  if (Array.isArray(value)) return Object.freeze(value.map((item: JsonValue) => freezeValue(item)));
  return freezeRecord(value as JsonObject);
}
