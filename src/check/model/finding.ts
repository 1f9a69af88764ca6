import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { ReplayForm } from './replay-form.ts';
import type { Exchange } from './exchange.ts';

/**
 * Why a finding is sure: the contract says it, an RFC says MUST, meaning was read out of the
 * contract, or an RFC says SHOULD.
 */
export type Basis = 'contract' | 'protocol' | 'inferred' | 'advice';

/** `error` fails the run; `warning` and `note` do not. */
export type Severity = 'error' | 'warning' | 'note';

/** Who is to mend it; `undecided` where neither the contract nor the answer can be right alone. */
export type Blame = 'server' | 'contract' | 'undecided';

/**
 * What a check reports, with its basis and its place in the contract. Redacted: fit for every
 * output.
 */
export interface Finding {
  /** Stays the same from run to run as long as the cause does. */
  readonly id: string;
  readonly check: string;
  readonly basis: Basis;
  readonly severity: Severity;
  readonly blame: Blame;
  /** `GET /pets`, and its id. */
  readonly operation: { readonly id: string; readonly method: string; readonly path: string };
  /**
   * Tells causes apart that share a check and a place in the contract; absent where there is one.
   */
  readonly cause?: string;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** What was being tried: `status is not one of available, pending, sold`. */
  readonly trying: string;
  readonly pointer: Pointer;
  readonly place: Place;
  /** The lines of the contract around `place`. */
  readonly frame: string;
  /** The exchange that shows it, the shortest found; absent only where nothing was exchanged. */
  readonly exchange?: Exchange;
  /** Shell commands that show it on a fresh server, in order; secrets as `$VOUCH_TOKEN`. */
  readonly curl: readonly string[];
  /** In how many exchanges of this run it was seen, those not counted that made it sure. */
  readonly count: number;
  /** The ids of all operations that it touches. */
  readonly operations: readonly string[];
  /**
   * What the contract could say, so that the finding ends: to be merged into what stands at `at`.
   */
  readonly proposal?: { readonly at: Pointer; readonly update: JsonObject };
  /**
   * How the finding was made sure, beginning with its count: `Seen 12 times in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
  /** The first sentence of the evidence behind the count; absent in records of older versions. */
  readonly confirmation?: string;
  /**
   * The requests that show it as plain data, to be sent and judged again; absent where nothing was
   * exchanged.
   */
  readonly replay?: ReplayForm;
  /** The severity that it has by itself, where a baseline accepts it and made it a note. */
  readonly accepted?: Severity;
  /**
   * Other findings that its cause explains, whole: they are told with it, and counted nowhere else.
   * Absent where there are none.
   */
  readonly alsoSeenAs?: readonly Finding[];
}
