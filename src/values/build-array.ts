import { type JsonArray, type JsonValue, isJsonArray } from '../json/value.ts';
import type { LocatedNode } from '../contract/model.ts';
import { joinPointer } from '../json/pointer.ts';
import type { Alternative } from './alternatives.ts';
import type { BuildPlace, BuildProblem, PlaceBuilder } from './build-orders.ts';
import { type JsonType, valueKey } from '../json/json-type.ts';
import { gridOf } from './number-value.ts';
import { makeRandom } from './random.ts';
import { lengthsOf, longestText } from './text-value.ts';
import {
  greatest,
  isFlagged,
  itemRules,
  least,
  placedAnything,
  placedSchemas,
  trailInto,
  type View,
} from './view.ts';

/** The maximum number of items of a generated array. */
const maxItems = 1_000;
/** The number of items of a list in a response; a single item would not look like a list. */
const itemsOfList = 3;
const deepestList = 1;
/** The number of attempts for another item if items must be unique. */
const maxOffsets = 60;

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
 * An array with the fewest items that show its structure. Undefined if a required item cannot be
 * made.
 */
export function buildArray(
  builder: PlaceBuilder,
  place: BuildPlace,
  { view, literal, variation }: Alternative,
): JsonArray | undefined {
  const size = builder.sizeAt(place.at);
  const { min, max } = size === undefined ? itemCounts(view) : { min: size, max: size };
  if (min > max || min > maxItems) return undefined;
  const hint = isJsonArray(literal) ? literal : undefined;
  const salt = variation === 0 ? place.salt : `${place.salt}.${variation}`;
  const wanted = Math.min(max, Math.max(min, wantedItems(view, builder, { hint, place })));
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
  { orders }: PlaceBuilder,
  {
    hint,
    place: { at, depth, salt, name },
  }: { readonly hint: JsonArray | undefined; readonly place: BuildPlace },
): number {
  if (orders.required === 'only') return 0;
  if (orders.variety !== undefined)
    return makeRandom(`${orders.seed}|${at}|${salt}`).integer(0, itemsOfList);
  if (hint !== undefined) return Math.min(hint.length, maxItems);
  // A position has two numbers (RFC 7946, section 3.1.1).
  if (/^coordinates?$/i.test(name) && itemRules(view, 0).some(isOfNumbers)) return 2;
  const few =
    orders.required === undefined && orders.direction === 'response' && depth <= deepestList
      ? itemsOfList
      : 1;
  return Math.max(few, ...view.facets.map(({ node }) => node.prefixItems?.length ?? 0));
}

function isOfNumbers({ node }: LocatedNode): boolean {
  return typeof node === 'object' && [node.type].flat().includes('number');
}

function containedRules(view: View, index: number): LocatedNode[] {
  const fewest = Number(greatest(view, 'minContains')?.value ?? 1);
  return index < fewest ? placedSchemas(view, 'contains') : [];
}

function differentItem(
  builder: PlaceBuilder,
  item: BuildPlace,
  keys: Set<string>,
): JsonValue | undefined {
  for (let offset = 0; offset < maxOffsets; offset += 1) {
    const value = builder.build({ ...item, offset });
    if (value === undefined) {
      // One item could be made, so the problem is that items must be unique.
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

/** Why no value of this type is possible under this view: the keyword, if it is known. */
export function whyImpossible(view: View, type: JsonType): BuildProblem {
  const from = view.rules[0]?.pointer ?? '';
  const blame = (keywords: readonly string[], message: string): BuildProblem => ({
    pointer:
      keywords
        .flatMap((keyword) => placedAnything(view, keyword))
        .map(({ pointer }) => pointer)[0] ?? from,
    message,
  });
  if (view.never !== undefined)
    return { pointer: view.never, message: 'the contract forbids every value here' };
  if (type === 'string') return whyNoText(view, blame);
  if (type === 'array') return whyNoArray(view, blame);
  if ((type === 'number' || type === 'integer') && gridOf(view, type) === undefined) {
    return blame(
      ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
      'its bounds leave no number',
    );
  }
  return { pointer: from, message: 'no value was found that satisfies all rules here' };
}

type Blame = (keywords: readonly string[], message: string) => BuildProblem;

function whyNoText(view: View, blame: Blame): BuildProblem {
  const { min, max } = lengthsOf(view);
  if (min > max) return blame(['minLength'], 'it is greater than maxLength');
  if (min > longestText)
    return blame(['minLength'], `texts of more than ${longestText} characters are not made`);
  return blame(
    ['pattern', 'format'],
    'no text could be written that matches it and has the right length',
  );
}

function whyNoArray(view: View, blame: Blame): BuildProblem {
  const { min, max } = itemCounts(view);
  if (min > max) return blame(['minItems'], 'it is greater than maxItems');
  if (min > maxItems)
    return blame(['minItems'], `arrays of more than ${maxItems} items are not made`);
  return blame(['uniqueItems', 'items'], 'not enough items could be made');
}
