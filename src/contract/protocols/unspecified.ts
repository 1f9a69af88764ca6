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
export function leavesOutEmpty(schema: Schema): boolean {
  return schema.derive(hasUnspecified);
}

function hasUnspecified(schema: Schema): boolean {
  return [...schema.flatten().properties.values()].some(({ node, pointer }) =>
    startsUnspecified(schema.flatten(node, pointer).node.enum ?? []),
  );
}
