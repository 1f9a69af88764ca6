import type { MediaTypeSpec } from '../../contract/model.ts';
import { objectMembers } from '../../contract/schema/object-members.ts';
import { type JsonValue, type JsonObject, isJsonObject } from '../../json/value.ts';

/** What was read, without read-only fields, with the changes; undefined if that is not valid. */
export function restoredValue(
  read: JsonValue | undefined,
  { schema }: MediaTypeSpec,
  changes: JsonObject = {},
): JsonObject | undefined {
  if (schema === undefined || !isJsonObject(read)) return undefined;
  const writable = [...objectMembers(schema).properties]
    .filter(([, place]) => schema.flatten(place).node.readOnly !== true)
    .map(([name]) => name);
  const kept = Object.fromEntries(
    writable.flatMap((name) =>
      Object.hasOwn(read, name) ? [[name, read[name] ?? null] as const] : [],
    ),
  );
  const value = { ...kept, ...changes };
  return schema.accepts(value, 'request') ? value : undefined;
}
