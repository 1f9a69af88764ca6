import type { Claim } from './claim.ts';
import type { JournalEntry } from './journal.ts';
import { findMismatches, type Mismatch } from './match-entry.ts';

/** An exchange that comes close to what was claimed, and what keeps it from being that. */
export interface NearMiss {
  readonly entry: JournalEntry;
  readonly failed: readonly Mismatch[];
}

/** Whether a claim about the journal holds. */
export interface Verification {
  readonly verified: boolean;
  /** How many exchanges fit. */
  readonly count: number;
  /** What was claimed and what is so, in a sentence. */
  readonly message: string;
  /** Exchanges that fit, where there are too many of them: the last ten. */
  readonly fitting: readonly JournalEntry[];
  /**
   * The closest exchanges that do not fit, where there are too few that do: three at most, the
   * closest first.
   */
  readonly nearMisses: readonly NearMiss[];
}

const mostFitting = 10;
const mostMisses = 3;

/** Holds a claim against the entries of a journal. Pure. */
export function verifyClaim(entries: readonly JournalEntry[], claim: Claim): Verification {
  const judged = entries.map((entry) => ({ entry, failed: findMismatches(entry, claim) }));
  const fitting = judged.filter(({ failed }) => failed.length === 0).map(({ entry }) => entry);
  const { least, most } = boundsOf(claim);
  const verified = fitting.length >= least && fitting.length <= most;
  return {
    verified,
    count: fitting.length,
    message: describe(fitting.length, { least, most, seen: entries.length }),
    fitting: fitting.length > most ? fitting.slice(-mostFitting) : [],
    nearMisses: fitting.length < least ? closest(judged) : [],
  };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf({ count, atLeast, atMost }: Claim): Bounds {
  if (count !== undefined) return { least: count, most: count };
  return { least: atLeast ?? (atMost === undefined ? 1 : 0), most: atMost ?? Infinity };
}

function describe(
  count: number,
  { least, most, seen }: Bounds & { readonly seen: number },
): string {
  const wanted =
    least === most
      ? times(least)
      : [
          ...(least > 0 ? [`at least ${times(least)}`] : []),
          ...(most < Infinity ? [`at most ${times(most)}`] : []),
        ].join(' and ');
  return (
    `Such an exchange was to happen ${wanted}. Of ${String(seen)} in the ` +
    `journal, ${count === 0 ? 'none fits' : count === 1 ? '1 fits' : `${String(count)} fit`}.`
  );
}

function times(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${String(count)} times`;
}

/** What decides what a request is about weighs more than what is in it. */
const weights: Readonly<Partial<Record<Mismatch['condition'], number>>> = {
  operation: 4,
  path: 4,
  method: 2,
  session: 2,
  since: 2,
};

function closest(judged: readonly NearMiss[]): NearMiss[] {
  const misses = judged
    .filter(({ failed }) => failed.length > 0)
    .map((miss) => ({ miss, distance: distanceOf(miss) }));
  const sorted = misses.sort(
    (left, right) => left.distance - right.distance || right.miss.entry.id - left.miss.entry.id,
  );
  return sorted.slice(0, mostMisses).map(({ miss }) => miss);
}

function distanceOf({ failed }: NearMiss): number {
  return failed.reduce((sum, { condition }) => sum + (weights[condition] ?? 1), 0);
}
