import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';

const longest = 60;

/** A value as JSON for use in a message, cut to 60 characters. */
export function showJson(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
