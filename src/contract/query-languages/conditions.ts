import type { Comparison, Condition, Joint } from './language.ts';

/** What every leaf of a condition has. */
export interface Leaf {
  readonly field: string;
}

/** The parts of a joined condition, and its joint; undefined for all others. */
export function joinedParts<Of extends Leaf>(
  condition: Condition<Of>,
): { readonly joint: Joint; readonly parts: readonly Condition<Of>[] } | undefined {
  if ('all' in condition) return { joint: 'all', parts: condition.all };
  return 'any' in condition ? { joint: 'any', parts: condition.any } : undefined;
}

/** Conditions as one; a single one stays as it is. */
export function join<Of extends Leaf>(
  joint: Joint,
  parts: readonly Condition<Of>[],
): Condition<Of> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return joint === 'all' ? { all: parts } : { any: parts };
}

/** The comparisons of a condition, in their order. */
export function leavesOf<Of extends Leaf>(condition: Condition<Of>): Of[] {
  const joined = joinedParts(condition);
  if (joined !== undefined) return joined.parts.flatMap((part) => leavesOf(part));
  if ('not' in condition) return leavesOf(condition.not);
  return 'field' in condition ? [condition] : [];
}

/** The condition with other comparisons, in the same places. */
export function mapLeaves<Of extends Leaf, To extends Leaf>(
  condition: Condition<Of>,
  edit: (leaf: Of) => To,
): Condition<To> {
  return replaceLeaves<Of, To>(condition, edit);
}

/** The condition with other conditions in the place of its comparisons. */
export function replaceLeaves<Of extends Leaf, To extends Leaf>(
  condition: Condition<Of>,
  edit: (leaf: Of) => Condition<To>,
): Condition<To> {
  const joined = joinedParts(condition);
  if (joined !== undefined)
    return join(
      joined.joint,
      joined.parts.map((part) => replaceLeaves(part, edit)),
    );
  if ('not' in condition) return { ...condition, not: replaceLeaves(condition.not, edit) };
  return 'field' in condition ? edit(condition) : { all: [] };
}

/** The comparisons that must all hold, and nothing else; undefined for all other conditions. */
export function conjunction(condition: Condition): readonly Comparison[] | undefined {
  if ('field' in condition) return [condition];
  if (!('all' in condition)) return undefined;
  const parts = condition.all.map(conjunction);
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/**
 * Whether a condition holds, by what is known of its comparisons; undefined if that depends on one
 * of which nothing is known.
 */
export function evaluate<Of extends Leaf>(
  condition: Condition<Of>,
  holds: (leaf: Of) => boolean | undefined,
): boolean | undefined {
  if ('not' in condition) {
    const inner = evaluate(condition.not, holds);
    return inner === undefined ? undefined : !inner;
  }
  const joined = joinedParts(condition);
  if (joined === undefined) return 'field' in condition ? holds(condition) : undefined;
  const decisive = joined.joint === 'any';
  let isKnown = true;
  for (const part of joined.parts) {
    const one = evaluate(part, holds);
    if (one === decisive) return decisive;
    isKnown &&= one !== undefined;
  }
  return isKnown ? !decisive : undefined;
}
