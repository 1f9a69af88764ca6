import { isJsonObject, type JsonValue } from '../json/value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { Site } from './build-value.ts';
import { describeValue } from './describe-value.ts';
import { hasType, typeOf, type JsonType } from './json-type.ts';
import { keywordPlace, type Mutation } from './mutation.ts';
import { isArray } from './value-key.ts';
import type { View } from './view.ts';

const nouns: Readonly<Record<JsonType, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
};

/**
 * The same place with values of other types: null, each sensible other type, and those that lenient
 * software converts.
 */
export function breakType({ view, value }: Site): Mutation[] {
  const type = typeOf(value);
  const expected = nouns[type === 'integer' && view.types.includes('number') ? 'number' : type];
  const keywords = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'format', 'multipleOf'];
  const pointer = keywordPlace(view, 'type', 'enum', 'const');
  const toWrong = (valueClass: Mutation['valueClass'], candidate: JsonValue): Mutation => ({
    valueClass,
    candidates: [candidate],
    keywords,
    says: () =>
      candidate === null ? 'is null' : `is ${describeValue(candidate)}, not ${expected}`,
    pointer,
  });
  return [
    toWrong('null-given', null),
    ...otherTypes(value).map((candidate) => toWrong('wrong-type', candidate)),
    ...convertible(value).map((candidate) => toWrong('coercible-type', candidate)),
    ...(typeof value === 'number' || typeof value === 'bigint'
      ? [{ ...toWrong('fraction-for-integer', fraction(value)), keywords: ['type'] }]
      : []),
  ].filter(({ candidates }) =>
    candidates.every((candidate) => !hasType(candidate, namedTypes(view))),
  );
}

/** The types that the view names; none where it names none, since then any type may be valid. */
function namedTypes(view: View): readonly JsonType[] {
  return view.types.length > 5 ? [] : view.types;
}

function otherTypes(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return [12345, true, [], {}];
  if (typeof value === 'number' || typeof value === 'bigint') return ['abc', true, [], {}];
  if (typeof value === 'boolean') return ['maybe', [], {}];
  if (isArray(value)) return [{}, 'text', 12345];
  return isJsonObject(value) ? [[], 'text', 12345, true] : ['text'];
}

/**
 * What a careless reader turns into the right type: `"42"` for 42, 1 for true, a lone item for a
 * list.
 */
function convertible(value: JsonValue): JsonValue[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value === 'boolean') return [String(value), value ? 1 : 0];
  if (isArray(value)) return value.slice(0, 1);
  return isJsonObject(value) ? [[value], stringifyJson(value)] : [];
}

function fraction(value: number | bigint): number {
  return Number.isSafeInteger(Number(value)) ? Math.trunc(Number(value)) + 0.5 : 1.5;
}
