/**
 * A pattern as JSON Schema reads it (2020-12 core, section 6.4): with the flag `u`, or without it
 * where the pattern is not valid so, as many in the wild are not. Undefined where it is no regular
 * expression at all.
 */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The other reading, or none.
    }
  }
  return undefined;
}
