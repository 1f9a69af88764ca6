import type { Mock } from '../../mock/mock.ts';
import type { Claim, ExchangePattern } from './claim.ts';
import type { Journal } from './journal.ts';
import { findMismatches } from './match-entry.ts';
import { redactFor } from './redact.ts';
import { showEntry, showShortly, type ShownExchange, type ShownInShort } from './show-entry.ts';
import { verifyClaim } from './verify.ts';

/**
 * Exchanges that fit a pattern, the oldest first, without their secrets; only the last so many,
 * where a limit says so.
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

/** An exchange that comes close to a claim, and in words what keeps it from being that. */
export type ShownNearMiss = {
  readonly exchange: ShownInShort;
  readonly failed: readonly { readonly condition: string; readonly message: string }[];
};

/** What came of a claim, without secrets. */
export type ShownVerification = {
  readonly verified: boolean;
  readonly count: number;
  readonly message: string;
  readonly forgotten: number;
  readonly fitting: readonly ShownInShort[];
  readonly nearMisses: readonly ShownNearMiss[];
};

/** Holds a claim against the journal. */
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
