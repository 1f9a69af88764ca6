/** What `parseJson` refuses beyond broken grammar. Every member has a default. */
export interface JsonLimits {
  /** How many arrays and objects may stand inside each other: 64 unless told, at most 1,000. */
  readonly maxDepth?: number;
  /** RFC 8259, section 4: names should be unique. Allowed, the last one wins. */
  readonly duplicateKeys?: 'refuse' | 'allow';
  /** Member names that are refused at any level: `__proto__` unless told. */
  readonly forbiddenKeys?: readonly string[];
  /** Half of a surrogate pair, escaped or raw (RFC 8259, section 8.2). */
  readonly loneSurrogates?: 'refuse' | 'allow';
}

const defaults: Required<JsonLimits> = {
  maxDepth: 64,
  duplicateKeys: 'refuse',
  forbiddenKeys: ['__proto__'],
  loneSurrogates: 'refuse',
};

/** Deeper values would overflow the stack of whoever walks them. */
const deepest = 1000;

/** The limits with their defaults filled in, and the depth held to 1,000. */
export function completeLimits(limits: JsonLimits | undefined): Required<JsonLimits> {
  if (limits === undefined) return defaults;
  const {
    maxDepth = defaults.maxDepth,
    duplicateKeys = defaults.duplicateKeys,
    forbiddenKeys = defaults.forbiddenKeys,
    loneSurrogates = defaults.loneSurrogates,
  } = limits;
  return { maxDepth: Math.min(maxDepth, deepest), duplicateKeys, forbiddenKeys, loneSurrogates };
}
