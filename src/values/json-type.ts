import type { JsonValue } from '../json/value.ts';
import { isArray } from './value-key.ts';

/** The types of JSON Schema, the richest first. */
export const jsonTypes = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The narrowest type of a value: 1, 1.0 and 1n are integers. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (isArray(value)) return 'array';
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
