/**
 * A JSON value as vouch holds it: numbers are doubles, but an integer beyond ±2^53 is a `bigint`,
 * so that no digit is lost. Objects may have any own key; copy them by spread, never by
 * `Object.assign` (a `__proto__` key would be lost).
 */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a JSON value is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array; unlike `Array.isArray` it narrows to a readonly one. */
export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}
