/** A base URL taken apart. */
export interface BaseParts {
  readonly host: string;
  readonly origin: string;
  /** Its path without a slash at the end. */
  readonly path: string;
}

/**
 * The parts of a base URL, which is known to be one: every request and many an answer asks for
 * them.
 */
export function basePartsOf(baseUrl: string): BaseParts {
  const before = known.get(baseUrl);
  if (before !== undefined) return before;
  const { host, origin, pathname } = new URL(baseUrl);
  const parts = { host, origin, path: pathname.replace(/\/+$/, '') };
  if (known.size < mostKnown) known.set(baseUrl, parts);
  return parts;
}

// A run has one base URL, or one for each server of its contract.
const known = new Map<string, BaseParts>();
const mostKnown = 100;
