import { isJsonObject, type JsonValue, stringifyJson, isJsonArray } from '../json/value.ts';
import type { Baseline } from './baseline.ts';
import type { Site } from './build-value.ts';
import { hasType, type JsonType, typeOf, valueKey } from '../json/json-type.ts';
import { describeValue, describeValues } from './labelled-value.ts';
import { literalsOf } from './literals.ts';
import { keywordPlace, type Mutation } from './mutation.ts';
import { plainValue } from './plain-value.ts';
import { hasKeyword, placedSchemas, type View } from './view.ts';

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
 * Values of other types at the same place: null, each plausible type, and values that lenient
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

/** The types that the view lists; empty if it lists none, because any type may then be valid. */
function namedTypes(view: View): readonly JsonType[] {
  return view.types.length > 5 ? [] : view.types;
}

function otherTypes(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return [12345, true, [], {}];
  if (typeof value === 'number' || typeof value === 'bigint') return ['abc', true, [], {}];
  if (typeof value === 'boolean') return ['maybe', [], {}];
  if (isJsonArray(value)) return [{}, 'text', 12345];
  return isJsonObject(value) ? [[], 'text', 12345, true] : ['text'];
}

/**
 * Values that a lenient parser converts to the right type: `"42"` for 42, 1 for true, a single item
 * for a list.
 */
function convertible(value: JsonValue): JsonValue[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value === 'boolean') return [String(value), value ? 1 : 0];
  if (isJsonArray(value)) return value.slice(0, 1);
  return isJsonObject(value) ? [[value], stringifyJson(value)] : [];
}

function fraction(value: number | bigint): number {
  return Number.isSafeInteger(Number(value)) ? Math.trunc(Number(value)) + 0.5 : 1.5;
}

/** A value that an `enum` or `const` does not list, and a listed one in the wrong case. */
export function breakList({ view }: Site): Mutation[] {
  const literals = (literalsOf(view) ?? []).map(({ value }) => value);
  if (literals.length === 0) return [];
  const isConst = hasKeyword(view, 'const');
  const shared = {
    keywords: [isConst ? 'const' : 'enum'],
    pointer: keywordPlace(view, isConst ? 'const' : 'enum'),
  };
  const says = (value: JsonValue): string =>
    `is ${describeValue(value)}, not ` +
    `${literals.length === 1 ? '' : 'one of '}${describeValues(literals)}`;
  return [
    {
      ...shared,
      valueClass: isConst ? 'const-changed' : 'not-in-enum',
      candidates: [...literals.flatMap(nextTo), ...literals.flatMap(farFrom)],
      says,
    },
    { ...shared, valueClass: 'wrong-case', candidates: otherCases(literals), says },
  ];
}

/** Values of the same type that are probably not listed. */
function nextTo(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return ['unlisted'];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'bigint') return [value + 1n];
  return typeof value === 'boolean' ? [!value] : [];
}

/** Values of the same type that are almost certainly not listed. */
function farFrom(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return ['not-listed-at-all'];
  return typeof value === 'number' ? [987654] : [];
}

function otherCases(literals: readonly JsonValue[]): string[] {
  const listed = new Set(literals.map(valueKey));
  const texts = literals.filter((value) => typeof value === 'string');
  const changed = texts.flatMap((text) => [
    text.toUpperCase(),
    text.toLowerCase(),
    text.slice(0, 1).toUpperCase() + text.slice(1),
  ]);
  return changed.filter((text) => !listed.has(valueKey(text)));
}

const matchless: readonly JsonValue[] = [
  { unexpected: true },
  'matches-no-branch',
  -987654.5,
  true,
  [],
  {},
];

/** A value that matches no branch of each `oneOf` or `anyOf`, and one that `not` excludes. */
export function breakBranches(site: Site, baseline: Baseline): Mutation[] {
  return [...matchNone(site), ...forbidden(site, baseline)];
}

function matchNone({ view }: Site): Mutation[] {
  const groups = view.groups.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return groups.map(({ keyword, pointer }) => ({
    valueClass: 'no-branch',
    candidates: matchless,
    keywords: [keyword],
    says: (value) => `is ${describeValue(value)}, which matches no branch of ${keyword}`,
    pointer,
  }));
}

function forbidden({ view }: Site, { schema, direction, seed }: Baseline): Mutation[] {
  return placedSchemas(view, 'not').flatMap((place): Mutation[] => {
    const made = plainValue(schema.part(place), { seed, direction });
    if (!made.ok) return [];
    return [
      {
        valueClass: 'forbidden-value',
        candidates: [made.value],
        keywords: ['not'],
        says: (value) => `is ${describeValue(value)}, which is ruled out`,
        pointer: place.pointer,
      },
    ];
  });
}
