import type { Pointer } from '../../json/pointer.ts';
import { once } from '../lazy.ts';
import type { Schema } from '../model.ts';

/**
 * Whether the first of some values stands for none: `KIND_UNSPECIFIED` before the kinds. A service
 * shows it where nothing was set, and a client does not send it (Google AIP-126).
 */
export function startsUnspecified([first, ...others]: readonly unknown[]): boolean {
  return typeof first === 'string' && others.length > 0 && /^[A-Z0-9_]+_UNSPECIFIED$/.test(first);
}

/**
 * Whether records leave out what is empty, as the JSON of Protocol Buffers does: 0, false, an empty
 * text or list, and null. A contract shows that by an enumeration with such a first value.
 */
export const leavesOutEmpty = once((schema: Schema): boolean => {
  return [...schema.flatten().properties.values()].some((place) =>
    startsUnspecified(schema.flatten(place).node.enum ?? []),
  );
});

/** A member that a body must have, and its first value, which stands for none. */
export interface UnspecifiedMember {
  readonly name: string;
  readonly value: string;
  /** The first value that is one. */
  readonly other: string;
  readonly pointer: Pointer;
}

/**
 * The required members of a body with a value that stands for none. That value is no value: to an
 * API by the AIPs, a body with it lacks the member (Google AIP-203, "Required").
 */
export const unspecifiedMembers = once((schema: Schema): readonly UnspecifiedMember[] => {
  const { properties, required } = schema.flatten();
  return [...required].flatMap((name) => {
    const place = properties.get(name);
    const { node, pointer } = place ? schema.flatten(place) : schema.flatten();
    const values = place === undefined ? [] : (node.enum ?? []);
    const [value, other] = values;
    if (typeof value !== 'string' || typeof other !== 'string') return [];
    return startsUnspecified(values) ? [{ name, value, other, pointer }] : [];
  });
});
