import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../json/value.ts';
import { fromInteger } from './decimal.ts';
import { withoutMember } from './place-value.ts';
import { isArray, valueKey } from './value-key.ts';

/**
 * Simpler values than the given one, the boldest first: members and items dropped, texts shortened, numbers nearer to 0. Each
 * is strictly simpler, so that shrinking again and again always comes to an end. Whether one is valid is for the caller to see.
 */
export function* shrinkValue(value: JsonValue): Generator<JsonValue, void, undefined> {
  if (typeof value === 'string') yield* shrinkText(value);
  else if (typeof value === 'number' || typeof value === 'bigint') yield* shrinkNumber(value);
  else if (value === true) yield false;
  else if (isArray(value)) yield* shrinkArray(value);
  else if (isJsonObject(value)) yield* shrinkObject(value);
}

function* shrinkObject(value: JsonObject): Generator<JsonValue, void, undefined> {
  const names = Object.keys(value);
  if (names.length > 1) yield {};
  for (const name of names) yield withoutMember(value, name);
  for (const name of names) for (const member of shrinkValue(value[name] ?? null)) yield { ...value, [name]: member };
}

function* shrinkArray(value: JsonArray): Generator<JsonValue, void, undefined> {
  for (let size = 0; size < value.length; size = size * 2 + 1) yield value.slice(0, size);
  for (let index = 0; index < value.length; index += 1) yield value.toSpliced(index, 1);
  for (const [index, item] of value.entries()) for (const simpler of shrinkValue(item)) yield value.with(index, simpler);
}

/** Shorter texts; then the same length in plain letters, which takes everything odd away at once. */
function* shrinkText(value: string): Generator<JsonValue, void, undefined> {
  const points = Array.from(value);
  for (let size = 0; size < points.length; size = size * 2 + 1) yield points.slice(0, size).join('');
  if (points.length > 1) yield points.slice(0, -1).join('');
  if (points.length > 1) yield points.slice(1).join('');
  const plain = 'a'.repeat(points.length);
  if (plain !== value) yield plain;
}

function* shrinkNumber(value: number | bigint): Generator<JsonValue, void, undefined> {
  const simpler = typeof value === 'bigint' || Number.isInteger(value) ? simplerIntegers(BigInt(value)) : [0, Math.trunc(value), Math.trunc(value / 2)];
  const seen = new Set([valueKey(value)]);
  for (const candidate of simpler) {
    const key = valueKey(candidate);
    if (seen.has(key)) continue;
    seen.add(key);
    yield candidate;
  }
}

function simplerIntegers(value: bigint): (number | bigint)[] {
  if (value === 0n) return [];
  const step = value > 0n ? -1n : 1n;
  return [0n, ...(value < 0n ? [-value] : []), value / 2n, value + step].map(fromInteger);
}
