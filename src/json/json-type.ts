import { wordsIn } from '../words-in.ts';
import { isJsonArray, type JsonValue } from './value.ts';

/** The types of JSON Schema, most expressive first. */
export const jsonTypes = wordsIn('object array string number integer boolean null');
export type JsonType = (typeof jsonTypes)[number];

/** The narrowest type of a value: 1, 1.0 and 1n are integers. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return 'object';
  }
}

/** Whether a value has one of the types; an integer is a number too. */
export function hasType(value: JsonValue, types: readonly JsonType[]): boolean {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/**
 * A text that is the same for two JSON values if and only if they are equal (JSON Schema 2020-12,
 * section 4.2.2): 1, 1.0 and 1n are one value.
 */
export function valueKey(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // String writes a greater integer with an exponent or with zeros in place of digits.
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(value).toString()
      : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isJsonArray(value)) return `[${value.map(valueKey).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    if (members !== '') members += ',';
    members += `${JSON.stringify(name)}:${valueKey(value[name] ?? null)}`;
  }
  return `{${members}}`;
}
