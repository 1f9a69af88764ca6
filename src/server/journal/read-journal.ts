import type { Mock } from '../../mock/mock.ts';
import type { Claim, ExchangePattern } from './claim.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Journal } from './journal.ts';
import { findMismatches, type Mismatch } from './match-entry.ts';
import { redactFor } from './redact.ts';
import { showEntry, type ShownExchange, type ShownInShort, showShortly } from './show-entry.ts';

/**
 * Exchanges that match a pattern, oldest first, with secrets redacted; only the last ones if there
 * is a limit.
 */
export function readJournal(
  journal: Journal,
  mock: Pick<Mock, 'options'>,
  { pattern, limit }: { readonly pattern: ExchangePattern; readonly limit?: number | undefined },
): { readonly count: number; readonly exchanges: readonly ShownExchange[] } {
  const fitting = journal.list().filter((entry) => findMismatches(entry, pattern).length === 0);
  const redact = redactFor(mock.options);
  const shown = limit === undefined ? fitting : fitting.slice(Math.max(0, fitting.length - limit));
  return { count: fitting.length, exchanges: shown.map((entry) => showEntry(entry, redact)) };
}

/** A near miss of a claim, with its differences as text. */
export type ShownNearMiss = {
  readonly exchange: ShownInShort;
  readonly failed: readonly { readonly condition: string; readonly message: string }[];
};

/** The result of a claim, with secrets redacted. */
export type ShownVerification = {
  readonly verified: boolean;
  readonly count: number;
  readonly message: string;
  readonly forgotten: number;
  readonly fitting: readonly ShownInShort[];
  readonly nearMisses: readonly ShownNearMiss[];
};

/** Verifies a claim against the journal. */
export function holdClaim(
  journal: Journal,
  mock: Pick<Mock, 'options'>,
  claim: Claim,
): ShownVerification {
  const { message, fitting, nearMisses, ...outcome } = verifyClaim(journal.list(), claim);
  const redact = redactFor(mock.options);
  const forgotten = journal.forgotten();
  return {
    ...outcome,
    message:
      forgotten === 0
        ? message
        : `${message} The journal has forgotten ${String(forgotten)} older ones.`,
    forgotten,
    fitting: fitting.map((entry) => showShortly(entry, redact)),
    nearMisses: nearMisses.map(({ entry, failed }) => {
      const own = redact.within(entry.request);
      return {
        exchange: showShortly(entry, own),
        failed: failed.map((mismatch) => ({
          condition: mismatch.condition,
          message: own.sentence(mismatch.message),
        })),
      };
    }),
  };
}

/** A near miss of a claim, with its differences. */
interface NearMiss {
  readonly entry: JournalEntry;
  readonly failed: readonly Mismatch[];
}

/** The result of a claim. */
interface Verification {
  readonly verified: boolean;
  /** The number of matching exchanges. */
  readonly count: number;
  /** The claim and the actual number, in a sentence. */
  readonly message: string;
  /** The last ten matching exchanges, if there are too many. */
  readonly fitting: readonly JournalEntry[];
  /** The nearest misses, if there are too few matching exchanges: at most three, nearest first. */
  readonly nearMisses: readonly NearMiss[];
}

const maxFitting = 10;
const maxMisses = 3;

/** Verifies a claim against the entries of a journal. Pure. */
export function verifyClaim(entries: readonly JournalEntry[], claim: Claim): Verification {
  const judged = entries.map((entry) => ({ entry, failed: findMismatches(entry, claim) }));
  const fitting = judged.filter(({ failed }) => failed.length === 0).map(({ entry }) => entry);
  const { least, max } = boundsOf(claim);
  const verified = fitting.length >= least && fitting.length <= max;
  return {
    verified,
    count: fitting.length,
    message: describe(fitting.length, { least, max, seen: entries.length }),
    fitting: fitting.length > max ? fitting.slice(-maxFitting) : [],
    nearMisses: fitting.length < least ? closest(judged) : [],
  };
}

interface Bounds {
  readonly least: number;
  readonly max: number;
}

function boundsOf({ count, atLeast, atMost }: Claim): Bounds {
  if (count !== undefined) return { least: count, max: count };
  return { least: atLeast ?? (atMost === undefined ? 1 : 0), max: atMost ?? Infinity };
}

function describe(count: number, { least, max, seen }: Bounds & { readonly seen: number }): string {
  const expected =
    least === max
      ? [least === 0 ? 'no' : String(least)]
      : [
          ...(least > 0 ? [`at least ${String(least)}`] : []),
          ...(max < Infinity ? [`at most ${String(max)}`] : []),
        ];
  const last = max < Infinity ? max : least;
  const noun = last > 1 ? 'requests' : 'request';
  return (
    `Expected ${expected.join(' and ')} matching ${noun}, ` +
    `got ${String(count)} (${String(seen)} recorded).`
  );
}

/** Conditions on the operation weigh more than conditions on the content. */
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
  return sorted.slice(0, maxMisses).map(({ miss }) => miss);
}

function distanceOf({ failed }: NearMiss): number {
  return failed.reduce((sum, { condition }) => sum + (weights[condition] ?? 1), 0);
}
