/** A JSON value, as the census compares it. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An object as JSON has it. */
export type JsonObject = { readonly [name: string]: Json };

/** The value as an object; an empty one where it is something else. */
export function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && value !== null && typeof value === 'object' && !isList(value)
    ? value
    : {};
}

/** The value as a list of objects; an empty one where it is something else. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return value !== undefined && isList(value) ? value.map(objectOf) : [];
}

/** A member of an object as text; empty where there is none. */
export function textOf(value: Json | undefined, member?: string): string {
  const found = member === undefined ? value : objectOf(value)[member];
  if (typeof found === 'string') return found;
  return found === undefined || found === null ? '' : JSON.stringify(found);
}

/** The same object without some of its members. */
export function without(value: Json | undefined, ...members: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(value)).filter(([name]) => !members.includes(name)),
  );
}

/**
 * The same value with the members of all its objects in one order, so that equal values are equal
 * texts.
 */
export function canonical(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(canonical);
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, canonical(member)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
