import { wordsIn } from '../../words-in.ts';
/** The steps of a run, in order. */
export const phases = wordsIn(
  'probe read workflow boundary negative auth sequence random confirm cleanup',
);
/** A part of a run, in order. */
export type Phase = (typeof phases)[number];

/** What a run may do, from the least to the most. */
export const modes = ['read-only', 'read-write', 'fuzz'] as const;
/**
 * `read-only` sends only GET, HEAD and OPTIONS. `read-write` also creates records, and deletes what
 * it created. `fuzz` does the same with volume.
 */
export type Mode = (typeof modes)[number];
