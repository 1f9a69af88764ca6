import type { JsonArray, JsonObject, JsonValue } from './value.ts';
import { isJsonArray, isJsonObject, isNumeric } from './value.ts';

/**
 * Whether two JSON values are equal: numbers by exact value (5 and 5n, 0 and -0), objects in any
 * member order.
 */
export function equalJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  // oxlint-disable-next-line eqeqeq -- a number and a bigint of one value are never `===`
  if (isNumeric(left) && isNumeric(right)) return left == right;
  if (isJsonArray(left)) return isJsonArray(right) && equalItems(left, right);
  return isJsonObject(left) && isJsonObject(right) && equalMembers(left, right);
}

function equalItems(left: JsonArray, right: JsonArray): boolean {
  return left.length === right.length && left.every((item, index) => equalAt(item, right[index]));
}

function equalMembers(left: JsonObject, right: JsonObject): boolean {
  let more = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !equalAt(left[key], right[key])) return false;
    more += 1;
  }
  for (const _key in right) more -= 1;
  return more === 0;
}

function equalAt(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left !== undefined && right !== undefined && equalJson(left, right);
}

/**
 * A text that is the same for two JSON values if and only if they are equal: sorted members,
 * numbers by value (1 and 1.0, 0 and -0, 1e20 and the integer with 21 digits).
 */
export function canonicalJson(value: JsonValue): string {
  // A double has one shortest text; that of -0 is `0`.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${texts.join(',')}}`;
}

/** An integer that a double can hold exactly is formatted as that double. */
function canonicalInteger(value: bigint): string {
  const double = Number(value);
  return Number.isFinite(double) && BigInt(double) === value ? String(double) : String(value);
}
