import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { ValueClass } from './labelled-value.ts';
import { placedAnything, type View } from './view.ts';

/**
 * One way to violate one rule at one place. Each candidate replaces the whole part; the first that
 * violates no other rule is used.
 */
export interface Mutation extends Edge {
  /** The violated keywords. */
  readonly keywords: readonly string[];
  /** The member concerned, if it is not the place itself. */
  readonly member?: string;
}

/** The location of the first of these keywords; the schema itself if it has none. */
export function keywordPlace(view: View, ...keywords: readonly string[]): Pointer {
  const found = keywords.flatMap((keyword) => placedAnything(view, keyword))[0];
  return found?.pointer ?? view.facets[0]?.pointer ?? view.rules[0]?.pointer ?? '';
}

/** The location of a property. */
export function propertyPlace(view: View, name: string): Pointer {
  const owner = view.facets.find(({ node }) => Object.hasOwn(node.properties ?? {}, name));
  return owner === undefined ? keywordPlace(view) : joinPointer(owner.pointer, 'properties', name);
}

export function present<Item>(items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined);
}

/** A valid edge of one place. If several candidates show the same, the first valid one is used. */
export interface Edge {
  readonly candidates: readonly JsonValue[];
  readonly valueClass: ValueClass;
  /** Continues the label after the name of the place: `is 100, the maximum`. */
  says(value: JsonValue): string;
  /** The location of the keyword in the contract. */
  readonly pointer: Pointer;
}

/** An edge with a number or another short value: `is 100, the maximum`. */
export function edge(
  valueClass: ValueClass,
  pointer: Pointer,
  given: {
    readonly candidates: readonly (JsonValue | undefined)[];
    says(value: JsonValue): string;
  },
): Edge {
  return {
    valueClass,
    pointer,
    says: given.says,
    candidates: given.candidates.filter((value) => value !== undefined),
  };
}
