import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';

/**
 * The values that a text can stand for, the likeliest first, or a clause that says why it stands
 * for none.
 */
export type ScalarReading =
  | { readonly ok: true; readonly values: readonly [JsonValue, ...JsonValue[]] }
  | { readonly ok: false; readonly message: string };

const integer = /^(?:0|-?[1-9][0-9]*)$/;
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * Reads a text by the types that it may have, strictly: `5` and not `05`, `true` and not `True`. An
 * integer beyond ±(2^53 - 1) is a `bigint`; the empty text is null where no string is allowed; an
 * array or object inside of another is JSON text.
 */
export function readScalar(text: string, types: ReadonlySet<string>): ScalarReading {
  const [first, ...others] = candidates(text, types);
  if (first !== undefined) return { ok: true, values: [first, ...others] };
  return {
    ok: false,
    message: `must be ${nameTypes(types)}, but is ${text === '' ? 'empty' : quoteExcerpt(text)}`,
  };
}

function candidates(text: string, types: ReadonlySet<string>): JsonValue[] {
  const values: JsonValue[] = [];
  if (text === '' && types.has('null') && !types.has('string')) values.push(null);
  if (types.has('number') ? number.test(text) : types.has('integer') && integer.test(text))
    values.push(...numberOf(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) values.push(text === 'true');
  if (types.has('string')) values.push(text);
  return values.length > 0 ? values : nested(text, types);
}

function numberOf(text: string): (number | bigint)[] {
  const value = Number(text);
  if (!Number.isSafeInteger(value) && integer.test(text)) return [BigInt(text)];
  return Number.isFinite(value) ? [value] : [];
}

function nested(text: string, types: ReadonlySet<string>): JsonValue[] {
  const reading = types.has('array') || types.has('object') ? parseJson(text) : undefined;
  if (reading?.ok !== true || typeof reading.value !== 'object' || reading.value === null)
    return [];
  return types.has(Array.isArray(reading.value) ? 'array' : 'object') ? [reading.value] : [];
}

const phrases: readonly (readonly [type: string, phrase: string])[] = [
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['array', 'a JSON array'],
  ['object', 'a JSON object'],
  ['null', 'empty'],
];

function nameTypes(types: ReadonlySet<string>): string {
  const named = phrases.filter(
    ([type]) => types.has(type) && !(type === 'integer' && types.has('number')),
  );
  return named.map(([, phrase]) => phrase).join(' or ');
}
