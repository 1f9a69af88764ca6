import type { JsonValue } from '../json/value.ts';
import { joinPointer } from '../json/pointer.ts';
import { hasType } from './json-type.ts';
import { isArray, valueKey } from './value-key.ts';
import { placedAnything, placedLists, type Placed } from './view-keywords.ts';
import type { View } from './view.ts';

/** The values that `enum` and `const` leave, each with its place; undefined where the schema lists none. */
export function literalsOf(view: View): Placed<JsonValue>[] | undefined {
  const lists = [
    ...placedAnything(view, 'const').map(({ value, pointer }) => [{ value: value as JsonValue, pointer }]),
    // What a contract's enum, const and examples hold was read from JSON.
    ...placedLists(view, 'enum').map(({ value, pointer }) => value.map((item) => ({ value: item as JsonValue, pointer }))),
  ];
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const keys = others.map((list) => new Set(list.map(({ value }) => valueKey(value))));
  return distinct(first).filter(({ value }) => hasType(value, view.types) && keys.every((known) => known.has(valueKey(value))));
}

/** The values that the contract shows: `examples`, `example`, then `default`. The schema's own types and lists are held against them. */
export function exhibitsOf(view: View): Placed<JsonValue>[] {
  const shown = [
    ...placedLists(view, 'examples').flatMap(({ value, pointer }) => value.map((item, index) => ({ value: item as JsonValue, pointer: joinPointer(pointer, index) }))),
    ...placedAnything(view, 'example').map(({ value, pointer }) => ({ value: value as JsonValue, pointer })),
    ...defaultsOf(view),
  ];
  const listed = literalsOf(view);
  const keys = listed && new Set(listed.map(({ value }) => valueKey(value)));
  return distinct(shown).filter(({ value }) => hasType(value, view.types) && (keys?.has(valueKey(value)) ?? true));
}

/** The values under `default`. */
function defaultsOf(view: View): Placed<JsonValue>[] {
  return placedAnything(view, 'default').map(({ value, pointer }) => ({ value: value as JsonValue, pointer }));
}

function distinct(list: readonly Placed<JsonValue>[]): Placed<JsonValue>[] {
  const seen = new Set<string>();
  return list.filter(({ value }) => {
    const key = valueKey(value);
    return seen.has(key) ? false : seen.add(key).size > 0;
  });
}

/** Whether a value is made of members or items. */
export function isComposite(value: JsonValue | undefined): boolean {
  return isArray(value) || (typeof value === 'object' && value !== null);
}
