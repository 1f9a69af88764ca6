import { equalJson } from '../../json/equal-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/**
 * The order of JSON values, one for all of them: numbers by their exact value, then texts by their
 * UTF-16 code units, then false and true, then lists, then objects. 0 exactly where `equalJson`
 * holds, but for null and what is absent, which come last together.
 */
export function compareJson(left: JsonValue | undefined, right: JsonValue | undefined): number {
  if (typeof left === 'string' && typeof right === 'string')
    return left === right ? 0 : left < right ? -1 : 1;
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : Number(left > right);
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0 || left === undefined || right === undefined) return rank;
  if (typeof left === 'boolean') return Number(left) - Number(right);
  if (equalJson(left, right)) return 0;
  const [before, after] = [canonicalText(left), canonicalText(right)];
  return before < after ? -1 : Number(before > after);
}

function isNumeric(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function rankOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 5;
  if (isNumeric(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return isJsonArray(value) ? 3 : 4;
}

/**
 * A text that equal values share, whatever the order of their members and the form of their
 * numbers.
 */
function canonicalText(value: JsonValue): string {
  return stringifyJson(canonicalValue(value));
}

function canonicalValue(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (isJsonArray(value)) return value.map(canonicalValue);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, canonicalValue(member)] as const,
  );
  return Object.fromEntries(
    members.sort(([left], [right]) => (left < right ? -1 : Number(left > right))),
  );
}
