import type { Mode } from '../model/phase.ts';

/**
 * The most requests of a kind that one operation gets. What there is no room for is what tells
 * least.
 */
export interface Room {
  /** Valid values at the edges of a schema. */
  readonly edges: number;
  /**
   * The same for an operation that changes a record: most of its fields had their turn when the
   * record was created.
   */
  readonly changes: number;
  /** Valid bodies that nobody expects. */
  readonly odd: number;
  /** Bodies that break one rule. */
  readonly invalid: number;
  /** Records that are created with a value that is easily mangled, and read back. */
  readonly fragile: number;
}

const whole: Room = { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 };

/** So many operations get all the room there is. */
const fewOperations = 100;
/** However many there are, each has this share of it. */
const leastShare = 0.25;

/**
 * The room for each operation of a plan: the more operations there are, the less for each, so that
 * a run of a large contract stays bounded too. Fuzzing knows no such bound.
 */
export function roomFor(operations: number, mode: Mode): Room {
  if (mode === 'fuzz') return { ...whole, changes: whole.edges };
  const share = Math.max(leastShare, Math.min(1, fewOperations / Math.max(1, operations)));
  const part = (most: number): number => Math.ceil(most * share);
  return {
    edges: part(whole.edges),
    changes: part(whole.changes),
    odd: part(whole.odd),
    invalid: part(whole.invalid),
    fragile: part(whole.fragile),
  };
}
