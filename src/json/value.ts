/**
 * A JSON value: numbers are doubles, and an integer beyond ±2^53 is a `bigint`, so that no digit is
 * lost. Objects may have any own key; copy them by spread, never by `Object.assign`, which loses a
 * `__proto__` key.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;

export type JsonArray = readonly JsonValue[];

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a JSON object: neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array; unlike `Array.isArray`, narrows to a readonly array. */
export function isJsonArray(value: unknown): value is JsonArray {
  return Array.isArray(value);
}

/** A member of a value; undefined if it is no object, or has none of that name. */
export function memberOf(value: unknown, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A value if it is an object; otherwise an object without members. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A value if it is an array; otherwise an array without items. */
export function arrayOf(value: unknown): JsonArray {
  return isJsonArray(value) ? value : [];
}

/** Whether a value is a number, of any size. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** A copy of an object without some of its members; any other value as it is. */
export function withoutMembers(value: JsonValue, ...names: readonly string[]): JsonValue {
  return isJsonObject(value) ? membersWhere(value, (name) => !names.includes(name)) : value;
}

/** An object with those members of another one of which something holds. */
export function membersWhere<Value>(
  members: Readonly<Record<string, Value>>,
  holds: (name: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => holds(name, value)));
}

/** An object with the names of another one, and what is made of its values. */
export function mapMembers<Value, Made>(
  members: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, make(value, name)]),
  );
}

/** A value with its items or members edited; the same value if none of them changes. */
export function editParts(
  value: JsonValue,
  edit: (part: JsonValue, name: string) => JsonValue,
): JsonValue {
  if (isJsonArray(value)) {
    const items = value.map((item, at) => edit(item, String(at)));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, part]) => [name, edit(part, name)] as const);
  return members.some(([name, part]) => part !== value[name]) ? Object.fromEntries(members) : value;
}

/**
 * Adds a member to an object under construction, also with the name `__proto__`, whose assignment
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

/** The cost of each part of a value. */
interface Measure {
  readonly scalar: (value: JsonValue) => number;
  readonly container: number;
  /** The cost of each member or item, besides its name and value. */
  readonly entry: number;
}

const asText: Measure = { scalar: textLength, container: 2, entry: 1 };

// The approximate memory in V8: a header for each text and container, one to three words for each
// entry.
const asHeld: Measure = { scalar: heldBytes, container: 48, entry: 16 };

/**
 * The approximate length of the JSON text of a value. Stops above `most`: a value that contains one
 * object in many places can be far longer than its size in memory.
 */
export function jsonLength(value: JsonValue, max = Infinity): number {
  return measure(value, asText, max);
}

/** The approximate memory of a value, in bytes. */
export function jsonBytes(value: JsonValue): number {
  return measure(value, asHeld, Infinity);
}

function measure(value: JsonValue, by: Measure, max: number): number {
  if (typeof value !== 'object' || value === null) return by.scalar(value);
  let size = by.container;
  if (isJsonArray(value)) {
    for (const item of value) {
      size += by.entry + measure(item, by, max - size);
      if (size > max) return size;
    }
    return size;
  }
  for (const name in value) {
    size += by.entry + by.scalar(name) + 1 + measure(value[name] ?? null, by, max - size);
    if (size > max) return size;
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

/**
 * Formats a value as JSON with every digit of bigints; `indent` is the number of spaces per level,
 * by default 0.
 */
export function stringifyJson(value: JsonValue, indent?: number): string {
  if ('toJSON' in BigInt.prototype) return stringifyExactly(value, indent);
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify throws for a bigint; a search beforehand would slow down every value without
    // one.
    if (error instanceof TypeError) return stringifyExactly(value, indent);
    throw error;
  }
}

/** A value as text: a text as it is, anything else as JSON. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** A value as JSON in a message, cut to 80 characters. */
export function briefJson(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function stringifyExactly(value: JsonValue, indent: number | undefined): string {
  return JSON.stringify(value, exactly, indent);
}

/**
 * A replacer that reads its holder, because an application may have given bigints a lossy `toJSON`.
 */
function exactly(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key];
  return typeof held === 'bigint' ? rawJson(held.toString()) : value;
}

/** A number that `JSON.stringify` writes with every digit. */
function rawJson(text: string): object {
  // Every supported Node version has this member; TypeScript does not declare it yet.
  return (JSON as JSON & { rawJSON(text: string): object }).rawJSON(text);
}

/**
 * Returns `members` without those that are undefined, so that spreading the result does not add
 * them.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<T>;
}

/** An object with some members of another one, in the order of their names, if they are defined. */
export function pick<T extends object, Name extends string & keyof T>(
  members: T,
  names: readonly Name[],
): Pick<T, Name> {
  const entries = names.map((name) => [name, members[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, Name>;
}

/** The same, with null for those that are not defined. */
export function pickOrNull<T extends object, Name extends string & keyof T>(
  members: T,
  names: readonly Name[],
): OrNull<T, Name> {
  const entries = names.map((name) => [name, members[name] ?? null] as const);
  return Object.fromEntries(entries) as OrNull<T, Name>;
}

type OrNull<T, Name extends keyof T> = {
  readonly [Key in Name]-?: undefined extends T[Key] ? Exclude<T[Key], undefined> | null : T[Key];
};

/** Members that may be undefined become optional. */
type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The texts and numbers in a value, at any depth, as text. */
export function scalarTexts(value: JsonValue): string[] {
  if (isJsonArray(value)) return value.flatMap(scalarTexts);
  if (isJsonObject(value)) return Object.values(value).flatMap(scalarTexts);
  return value === null || typeof value === 'boolean' ? [] : [String(value)];
}
