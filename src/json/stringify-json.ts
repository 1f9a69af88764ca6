import type { JsonValue } from './value.ts';

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

/** `JSON.rawJSON` (ECMAScript 2026), which TypeScript does not declare yet. */
interface RawJson {
  rawJSON(text: string): object;
}

/** A number that `JSON.stringify` writes with every digit. */
function rawJson(text: string): object {
  // Every supported Node version has this member.
  return (JSON as unknown as RawJson).rawJSON(text);
}
