import { once } from '../contract/lazy.ts';
import { startsUnspecified } from '../contract/protocols/unspecified.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { hasType, valueKey } from '../json/json-type.ts';
import { type Placed, placedAnything, placedLists, type View } from './view.ts';

/** A list of distinct literals with their keys. */
interface LiteralList {
  readonly pointer: Pointer;
  readonly literals: readonly Placed<JsonValue>[];
  readonly keys: ReadonlySet<string>;
}

/** The lists of a schema, which are read often and can be long. */
const newLists = (): Map<readonly unknown[], LiteralList> => new Map();

function enumerationsOf(view: View): LiteralList[] {
  const known = view.schema.derive(newLists);
  return placedLists(view, 'enum').map((placed) => {
    const before = known.get(placed.value);
    if (before?.pointer === placed.pointer) return before;
    const list = listAt(placed);
    known.set(placed.value, list);
    return list;
  });
}

function listAt({ value, pointer }: Placed<readonly unknown[]>): LiteralList {
  // Enum, const and examples of a contract were parsed from JSON.
  const literals = distinct(value.map((item) => ({ value: item as JsonValue, pointer })));
  const keys = new Set(literals.map((literal) => valueKey(literal.value)));
  return { pointer, literals, keys };
}

/**
 * The values that `enum` and `const` allow, with their locations, but for a first one that stands
 * for none (`KIND_UNSPECIFIED`); undefined if the schema lists none.
 */
export const literalsOf = once((view: View): readonly Placed<JsonValue>[] | undefined => {
  const constants = placedAnything(view, 'const').map(({ value, pointer }) =>
    listAt({ value: [value], pointer }),
  );
  const [first, ...others] = [...constants, ...enumerationsOf(view)];
  if (first === undefined) return undefined;
  const values = first.literals.map(({ value }) => value);
  const allowed = startsUnspecified(values) ? first.literals.slice(1) : first.literals;
  return allowed.filter(
    ({ value }) =>
      hasType(value, view.types) && others.every(({ keys }) => keys.has(valueKey(value))),
  );
});

/**
 * The values of `examples`, `example`, then `default`, if the types and lists of the schema allow
 * them.
 */
export const exhibitsOf = once((view: View): readonly Placed<JsonValue>[] => {
  const shown = [
    ...placedLists(view, 'examples').flatMap(({ value, pointer }) =>
      value.map((item, index) => ({
        value: item as JsonValue,
        pointer: joinPointer(pointer, index),
      })),
    ),
    ...placedAnything(view, 'example').map(({ value, pointer }) => ({
      value: value as JsonValue,
      pointer,
    })),
    ...placedAnything(view, 'default').map(({ value, pointer }) => ({
      value: value as JsonValue,
      pointer,
    })),
  ];
  if (shown.length === 0) return [];
  const listed = literalsOf(view);
  const keys = listed && new Set(listed.map(({ value }) => valueKey(value)));
  return distinct(shown).filter(
    ({ value }) => hasType(value, view.types) && (keys?.has(valueKey(value)) ?? true),
  );
});

function distinct(list: readonly Placed<JsonValue>[]): Placed<JsonValue>[] {
  const seen = new Set<string>();
  return list.filter(({ value }) => {
    const key = valueKey(value);
    return seen.has(key) ? false : seen.add(key).size > 0;
  });
}
