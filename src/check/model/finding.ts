import type { Operation } from '../../contract/model.ts';
import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
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

/** An operation as events and findings name it. */
export interface OperationName {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The part of an operation that names it. */
export function nameOperation({ id, method, path }: Operation): OperationName {
  return { id, method, path };
}

/**
 * A finding's requests as plain JSON, so that a report can be read back, sent and judged again.
 * Values stand in it as JSON text, digit for digit.
 */
export interface ReplayForm {
  readonly version: 1;
  readonly check: string;
  /** Place and cause: what the same check has to say of the last step again. */
  readonly at: Pointer;
  readonly cause: string;
  /**
   * The run's mark in the texts of bodies: another one takes its place, so that a server may keep
   * its texts unique.
   */
  readonly mark: string;
  /** The status that the last request was answered with, where it was. */
  readonly status?: number;
  /** Stands for the contract that was checked against, as `hashContract` gives it. */
  readonly contract: string;
  /** Whether these requests show it by themselves; where they do not, only a whole run can. */
  readonly alone: boolean;
  /**
   * How often it has to stay away before it counts as gone: more than once where it came only now
   * and then.
   */
  readonly times: number;
  readonly concurrent?: true;
  readonly steps: readonly ReplayStep[];
}

/** One request of a replay. */
export interface ReplayStep {
  /** The operation's id. */
  readonly operation: string;
  readonly title: string;
  readonly phase: string;
  readonly intent: JsonObject;
  readonly request: ReplayRequest;
  /** The nearest request that must fare otherwise. */
  readonly control?: ReplayRequest;
}

/**
 * What a request carries: arguments by name and place, and the body with its bytes in base64 or its
 * value as JSON text.
 */
export interface ReplayRequest {
  readonly arguments: readonly {
    readonly name: string;
    readonly in: string;
    readonly source: JsonObject;
  }[];
  readonly body?: JsonObject;
  readonly credential: string;
  /** Another method than the operation's. */
  readonly method?: string;
  readonly headers?: readonly (readonly string[])[];
  /**
   * The create, by its operation's id, whose `Location` is asked in the place of the operation's
   * path.
   */
  readonly locatedBy?: string;
}
