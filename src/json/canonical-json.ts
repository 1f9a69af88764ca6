import { isJsonArray, isJsonObject, type JsonValue } from './value.ts';

/**
 * A text that two JSON values share exactly where they are equal: members in one order, numbers by
 * their value (1 and 1.0, 0 and -0, 1e20 and the integer of 21 digits).
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value === 'bigint') return canonicalInteger(value);
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${texts.join(',')}}`;
}

/** A double has one shortest text; that of -0 is `0`. */
function canonicalNumber(value: number): string {
  return String(value);
}

/** An integer that a double holds exactly is written as that double. */
function canonicalInteger(value: bigint): string {
  const double = Number(value);
  return Number.isFinite(double) && BigInt(double) === value ? String(double) : String(value);
}
