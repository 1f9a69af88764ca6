/**
 * The first thing that is made, one after the other, and is not undefined: unlike `??` it takes
 * null for an answer.
 */
export function firstDefined<Value>(
  ...makers: readonly (() => Value | undefined)[]
): Value | undefined {
  for (const make of makers) {
    const value = make();
    if (value !== undefined) return value;
  }
  return undefined;
}
