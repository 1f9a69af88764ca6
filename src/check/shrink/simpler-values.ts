import { stringifyJson } from '../../json/stringify-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';

/**
 * What may not be touched: fields that are put to the test, by name, and texts that bear the run's
 * mark.
 */
export interface Keeping {
  readonly fields: ReadonlySet<string>;
  readonly mark: string;
}

/**
 * A value without members that nobody asked for, and what was left out of it; the boldest first.
 */
export function lessOf(value: JsonValue, keeping: Keeping): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const names = Object.keys(value).filter(
    (name) => !keeping.fields.has(name) && !bearsMark(value[name], keeping.mark),
  );
  return [
    ...(names.length > 1 ? [without(value, names)] : []),
    ...names.map((name) => without(value, [name])),
  ];
}

/**
 * A value without as many of some members as `isSame` lets go: the most that can be left out at
 * once.
 */
export function leastOf(
  value: JsonValue,
  keeping: Keeping,
  isSame: (candidate: JsonValue) => boolean,
): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.keys(value).reduce<JsonValue>((rest, name) => {
    if (!isJsonObject(rest) || keeping.fields.has(name) || bearsMark(rest[name], keeping.mark))
      return rest;
    const candidate = without(rest, [name]);
    return isSame(candidate) ? candidate : rest;
  }, value);
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function bearsMark(value: JsonValue | undefined, mark: string): boolean {
  return value !== undefined && stringifyJson(value).includes(mark);
}

/** A text, a number or a list that is longer than a reader takes in at a glance. */
const longText = 40;
const longNumber = 10_000;

/**
 * The same value with one of its parts made shorter, the boldest first; none where everything is
 * short. Marked texts stay.
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
