import type { JsonObject } from '../../json/value.ts';
import type { Mock } from '../../mock/mock.ts';
import type { FaultCause, Refusal } from '../../mock/model/fault.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Redact } from '../journal/redact.ts';
import { showShortly } from '../journal/show-entry.ts';

/**
 * What the contract says of a request. `invalid`: it does not keep the contract. `refused`: it
 * does, and what it asks for cannot be had now. `unknown`: nobody judged it, because a scenario or
 * the server answered, or because of what `Prefer` asks of the mock.
 */
export type Judgement = 'valid' | 'invalid' | 'refused' | 'unknown';

/** Causes that are the records' or the day's; all others are the request's own. */
const circumstances: ReadonlySet<FaultCause> = new Set<FaultCause>([
  'not-found',
  'conflict',
  'gone',
  'reference',
  'impossible',
  'internal',
]);

/**
 * Bodies that are longer are not held against the conditions of scenarios: a page asks for 200
 * exchanges at once.
 */
const longestLookedAt = 16 * 1024;

/**
 * An exchange in a line's worth of members for the console: with the scenario, with what the
 * contract says of the request, and what it nearly was.
 */
export function showTraffic(
  entry: JournalEntry,
  common: Redact,
  mock: Pick<Mock, 'nearMiss'>,
): JsonObject {
  const redact = common.within(entry.request);
  const { scenario, refusal } = entry;
  const isWhole =
    entry.requestSize === entry.request.body.length && entry.requestSize <= longestLookedAt;
  const near = mock.nearMiss({ request: entry.request, isWhole, refusal, scenario });
  return {
    ...showShortly(entry, redact),
    scenario: scenario ?? null,
    judgement: judge(entry),
    reason: refusal === undefined ? null : redact.text(refusal.message),
    cause: refusal?.cause ?? null,
    near:
      near === undefined
        ? null
        : { kind: near.kind, name: near.name, message: redact.text(near.message) },
  };
}

function judge({ refusal, scenario, answer: { operation, status } }: JournalEntry): Judgement {
  if (refusal !== undefined) return judgeRefusal(refusal);
  if (operation === undefined || (scenario !== undefined && status >= 400)) return 'unknown';
  return 'valid';
}

function judgeRefusal({ cause }: Refusal): Judgement {
  // What a client asks of the mock itself is no part of the contract.
  if (cause === 'preference') return 'unknown';
  return circumstances.has(cause) ? 'refused' : 'invalid';
}
