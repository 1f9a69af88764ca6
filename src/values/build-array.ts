import type { LocatedNode } from '../contract/model.ts';
import { joinPointer } from '../json/pointer.ts';
import type { JsonArray, JsonValue } from '../json/value.ts';
import type { Alternative } from './alternatives.ts';
import type { BuildPlace, ValueBuilder } from './build-value.ts';
import { trailInto } from './trail.ts';
import { isArray, valueKey } from './json-type.ts';
import { greatest, isFlagged, itemRules, least, placedSchemas } from './view-keywords.ts';
import type { View } from './view.ts';

/** Beyond this many items no array is made. */
export const mostItems = 1_000;
/**
 * The items of a list that is an answer, or a member of one: one alone would not look like a list.
 */
const itemsOfList = 3;
const deepestList = 1;
/** How often another item is tried where items must differ. */
const mostOffsets = 60;

/** How many items a view allows. */
export function itemCounts(view: View): { readonly min: number; readonly max: number } {
  const contained =
    placedSchemas(view, 'contains').length > 0
      ? Number(greatest(view, 'minContains')?.value ?? 1)
      : 0;
  return {
    min: Math.max(Math.ceil(Number(greatest(view, 'minItems')?.value ?? 0)), contained),
    max: Math.floor(Number(least(view, 'maxItems')?.value ?? Infinity)),
  };
}

/**
 * An array with the fewest items that still show what they are. Undefined where the items that it
 * needs cannot be made.
 */
export function buildArray(
  builder: ValueBuilder,
  place: BuildPlace,
  { view, literal, variation }: Alternative,
): JsonArray | undefined {
  const size = builder.sizeAt(place.at);
  const { min, max } = size === undefined ? itemCounts(view) : { min: size, max: size };
  if (min > max || min > mostItems) return undefined;
  const hint = isArray(literal) ? literal : undefined;
  const salt = variation === 0 ? place.salt : `${place.salt}.${variation}`;
  const wanted = Math.min(
    max,
    Math.max(min, wantedItems(view, builder, { hint, depth: place.depth })),
  );
  const trail = trailInto(place.trail, view);
  const items: JsonValue[] = [];
  const keys = isFlagged(view, 'uniqueItems') ? new Set<string>() : undefined;
  for (let index = 0; index < wanted; index += 1) {
    const item: BuildPlace = {
      rules: [...itemRules(view, index), ...containedRules(view, index)],
      at: joinPointer(place.at, index),
      name: place.name.replace(/s$/, ''),
      depth: place.depth + 1,
      trail,
      optional: index < min ? 'no' : 'any',
      hint: hint?.[index],
      offset: 0,
      salt,
    };
    const value = keys === undefined ? builder.build(item) : differentItem(builder, item, keys);
    if (value === undefined) return index < min ? undefined : items;
    items.push(value);
  }
  return items;
}

function wantedItems(
  view: View,
  { orders }: ValueBuilder,
  { hint, depth }: { readonly hint: JsonArray | undefined; readonly depth: number },
): number {
  if (orders.required === 'only') return 0;
  if (hint !== undefined) return Math.min(hint.length, mostItems);
  const few =
    orders.required === undefined && orders.direction === 'response' && depth <= deepestList
      ? itemsOfList
      : 1;
  return Math.max(few, ...view.facets.map(({ node }) => node.prefixItems?.length ?? 0));
}

function containedRules(view: View, index: number): LocatedNode[] {
  const least = Number(greatest(view, 'minContains')?.value ?? 1);
  return index < least ? placedSchemas(view, 'contains') : [];
}

function differentItem(
  builder: ValueBuilder,
  item: BuildPlace,
  keys: Set<string>,
): JsonValue | undefined {
  for (let offset = 0; offset < mostOffsets; offset += 1) {
    const value = builder.build({ ...item, offset });
    if (value === undefined) {
      // One item could be made: what is in the way is that they must differ.
      if (offset > 0) builder.problem = undefined;
      return undefined;
    }
    const key = valueKey(value);
    if (!keys.has(key)) {
      keys.add(key);
      return value;
    }
  }
  return undefined;
}
