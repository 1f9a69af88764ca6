import type { JsonValue } from './value.ts';

/**
 * The JSON text of a value, bigints digit for digit; `indent` is the number of spaces for each
 * level, none unless told.
 */
export function stringifyJson(value: JsonValue, indent?: number): string {
  if ('toJSON' in BigInt.prototype) return stringifyExactly(value, indent);
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify refuses a bigint; looking for one beforehand would cost every value that has
    // none.
    if (error instanceof TypeError) return stringifyExactly(value, indent);
    throw error;
  }
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

/**
 * `JSON.rawJSON` of ECMAScript's "JSON.parse source text access", which TypeScript's library does
 * not declare yet.
 */
interface RawJson {
  rawJSON(text: string): object;
}

/** A number that `JSON.stringify` writes digit for digit. */
function rawJson(text: string): object {
  // Every Node version that vouch supports has this member.
  return (JSON as unknown as RawJson).rawJSON(text);
}
