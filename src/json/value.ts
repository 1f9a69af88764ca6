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

/**
 * Gives an object that is being made one member more, whatever its name: to assign to `__proto__`
 * would set the prototype.
 */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  else object[name] = value;
}

/** How a value is measured: what each part of it adds. */
interface Measure {
  readonly scalar: (value: JsonValue) => number;
  readonly container: number;
  /** For each member or item, beside its name and its value. */
  readonly entry: number;
}

const asText: Measure = { scalar: textLength, container: 2, entry: 1 };
// What V8 takes, roughly: a header for each text and container, a word or three for each entry.
const asHeld: Measure = { scalar: heldBytes, container: 48, entry: 16 };

/**
 * About how long the JSON text of a value is. Ends as soon as it is more than `most`: a value that
 * holds one object in many places can be far longer than it is large.
 */
export function jsonLength(value: JsonValue, most = Infinity): number {
  return measure(value, asText, most);
}

/** About how many bytes a value takes in memory. */
export function jsonBytes(value: JsonValue): number {
  return measure(value, asHeld, Infinity);
}

function measure(value: JsonValue, by: Measure, most: number): number {
  if (typeof value !== 'object' || value === null) return by.scalar(value);
  let size = by.container;
  if (isJsonArray(value)) {
    for (const item of value) {
      size += by.entry + measure(item, by, most - size);
      if (size > most) return size;
    }
    return size;
  }
  for (const name in value) {
    size += by.entry + by.scalar(name) + 1 + measure(value[name] ?? null, by, most - size);
    if (size > most) return size;
  }
  return size;
}

function textLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  return typeof value === 'bigint' || typeof value === 'number' ? String(value).length : 5;
}

function heldBytes(value: JsonValue): number {
  if (typeof value === 'string') return 24 + value.length;
  return typeof value === 'bigint' ? 40 : 8;
}
