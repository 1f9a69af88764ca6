import type { JsonValue } from '../json/value.ts';
import { fromInteger } from '../json/decimal.ts';

/**
 * Every JSON scalar as which some reader takes the text of a parameter, the plain text first: `1.0`
 * is a text, a number, an integer.
 */
export function readText(text: string): JsonValue[] {
  return [text, ...readNumber(text), ...readWord(text)];
}

function readNumber(text: string): JsonValue[] {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return [fromInteger(BigInt(trimmed.replace('+', '')))];
  const number = trimmed === '' ? Number.NaN : Number(trimmed);
  return Number.isFinite(number) ? [number] : [];
}

function readWord(text: string): JsonValue[] {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(word)) return [true];
  if (['false', 'no', 'off', '0'].includes(word)) return [false];
  return word === 'null' || word === '' ? [null] : [];
}
