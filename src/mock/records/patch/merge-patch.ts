import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/**
 * Applies a JSON Merge Patch (RFC 7396): members are set, `null` removes one, objects are merged,
 * anything else is replaced.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** The same for a record, of which an object always comes out. */
export function mergeRecord(record: JsonObject, patch: JsonObject): JsonObject {
  // A patch that is an object makes an object.
  return mergePatch(record, patch) as JsonObject;
}
