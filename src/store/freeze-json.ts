import { setMember } from '../json/set-member.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** A copy of a record that nobody can change, at any depth. */
export function freezeRecord(record: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  // `for…in` makes no list of the members.
  for (const name in record) if (Object.hasOwn(record, name)) setMember(copy, name, freezeValue(record[name] ?? null));
  return Object.freeze(copy);
}

function freezeValue(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // `Array.isArray` does not narrow a readonly array.
  if (Array.isArray(value)) return Object.freeze(value.map((item: JsonValue) => freezeValue(item)));
  return freezeRecord(value as JsonObject);
}
