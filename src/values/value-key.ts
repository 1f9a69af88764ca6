import type { JsonValue } from '../json/value.ts';

/**
 * A text that two JSON values share exactly when they are equal (JSON Schema 2020-12, section
 * 4.2.2): 1, 1.0 and 1n are one value.
 */
export function valueKey(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // What String writes of a greater integer has an exponent, or ends in zeros that a bigint has
  // not.
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(value).toString()
      : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (isArray(value)) return `[${value.map(valueKey).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).sort())
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${valueKey(value[name] ?? null)}`;
  return `{${members}}`;
}

/**
 * Whether a JSON value is an array. `Array.isArray` does not narrow a readonly array out of a
 * union.
 */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
