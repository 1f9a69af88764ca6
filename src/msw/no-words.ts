/**
 * What the build for browsers puts in the place of `src/contract/words/no-verbs.ts`: the check
 * needs the words. Without them fewer operations are known to read.
 */
export const onlyNouns: ReadonlySet<string> = new Set();
export const describingNouns: ReadonlySet<string> = new Set();
