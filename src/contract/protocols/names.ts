import type { JsonValue } from '../../json/value.ts';
import type { Parameter } from '../model.ts';

/** Names as the value of a parameter: a text with commas, or a list if the contract declares one. */
export function writeNames({ schema }: Parameter, names: readonly string[]): JsonValue {
  return schema.flatten().types.includes('string') ? names.join(',') : [...names];
}

export function readNames(value: JsonValue | undefined): string[] {
  return [value ?? []]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
