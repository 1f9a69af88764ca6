import { stringifyJson } from '../../json/stringify-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';

/** What must stay: fields that are tested, by name, and texts with the mark of the run. */
export interface Keeping {
  readonly fields: ReadonlySet<string>;
  readonly mark: string;
}

/** A value without its other members: first without all of them, then without one each. */
export function lessOf(value: JsonValue, keeping: Keeping): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value).filter(
    (name) => !keeping.fields.has(name) && !hasMark(value[name], keeping.mark),
  );
  return [
    ...(names.length > 1 ? [without(value, names)] : []),
    ...names.map((name) => without(value, [name])),
  ];
}

/** A value without every member that can be left out while `isSame` holds. */
export function leastOf(
  value: JsonValue,
  keeping: Keeping,
  isSame: (candidate: JsonValue) => boolean,
): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.keys(value).reduce<JsonValue>((rest, name) => {
    if (!isJsonObject(rest) || keeping.fields.has(name) || hasMark(rest[name], keeping.mark))
      return rest;
    const candidate = without(rest, [name]);
    return isSame(candidate) ? candidate : rest;
  }, value);
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function hasMark(value: JsonValue | undefined, mark: string): boolean {
  return value !== undefined && stringifyJson(value).includes(mark);
}

/** The length of a text, and the size of a number, from which on values are shortened. */
const longText = 40;
const longNumber = 10_000;

/**
 * The value with one of its parts made shorter, the shortest first; none if everything is short.
 * Marked texts stay.
 */
export function shorterValues(value: JsonValue, mark: string): JsonValue[] {
  if (typeof value === 'string') return value.includes(mark) ? [] : shorterTexts(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return value > longNumber || value < -longNumber ? [1, 0, -1] : [];
  if (isJsonArray(value)) return shorterLists(value, mark);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    shorterValues(member, mark).map((shorter) => ({ ...value, [name]: shorter })),
  );
}

function shorterTexts(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length <= longText) return [];
  return [
    characters.slice(0, 1),
    characters.slice(0, longText),
    characters.slice(0, Math.ceil(characters.length / 2)),
  ].map((kept) => kept.join(''));
}

function shorterLists(list: JsonArray, mark: string): JsonValue[] {
  const inner = list.flatMap((item, index) =>
    shorterValues(item, mark).map((shorter) => list.with(index, shorter)),
  );
  if (list.length < 2) return inner;
  return [
    list.slice(0, 1),
    list.slice(-1),
    ...(list.length > 3 ? [list.slice(0, Math.ceil(list.length / 2))] : []),
    ...inner,
  ];
}
