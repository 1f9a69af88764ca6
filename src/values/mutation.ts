import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { ValueClass } from './labelled-value.ts';
import { placedAnything } from './view-keywords.ts';
import type { View } from './view.ts';

/**
 * One way to break one rule at one place. Candidates replace the whole part there; the first that
 * breaks nothing else is taken.
 */
export interface Mutation {
  readonly valueClass: ValueClass;
  readonly candidates: readonly JsonValue[];
  /** The keywords whose breach this shows. */
  readonly keywords: readonly string[];
  /** The member that is meant, where it is not the place itself. */
  readonly member?: string;
  /** What follows the place's name in a label: `is missing`. */
  says(value: JsonValue): string;
  /** Where the keyword stands in the contract. */
  readonly pointer: Pointer;
}

/** Where the first of these keywords stands; the schema itself where none is written. */
export function keywordPlace(view: View, ...keywords: readonly string[]): Pointer {
  const found = keywords.flatMap((keyword) => placedAnything(view, keyword))[0];
  return found?.pointer ?? view.facets[0]?.pointer ?? view.rules[0]?.pointer ?? '';
}

/** Where a property is written. */
export function propertyPlace(view: View, name: string): Pointer {
  const owner = view.facets.find(({ node }) => Object.hasOwn(node.properties ?? {}, name));
  return owner === undefined ? keywordPlace(view) : joinPointer(owner.pointer, 'properties', name);
}

/** A list without undefined. */
export function present<Item>(items: readonly (Item | undefined)[]): Item[] {
  return items.filter((item) => item !== undefined);
}

/**
 * What a value becomes at one place. Where several candidates would show the same, the first that
 * the schema agrees with is taken.
 */
export interface Edge {
  readonly candidates: readonly JsonValue[];
  readonly valueClass: ValueClass;
  /** What follows the place's name in a label: `is 100, the maximum`. */
  says(value: JsonValue): string;
  readonly pointer: Pointer;
}

/** An edge at which a number or another short value stands: `is 100, the maximum`. */
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
