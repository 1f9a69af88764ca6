import type { RequestPart } from './case.ts';
import type { Severity } from './finding.ts';
import type { ShutCode } from './plan.ts';
import type { Latency } from './knowledge.ts';
import type { Stop } from './stop.ts';

/**
 * passed: nothing of severity error. failed: something. inconclusive: too little was seen to say.
 * crashed: vouch's own fault.
 */
export type Verdict = 'passed' | 'failed' | 'inconclusive' | 'crashed' | 'interrupted';

/** What the reason of a verdict is about. */
export type ReasonCode =
  | 'no-findings'
  | 'findings'
  | 'nothing-changed'
  | 'nothing-tested'
  /** A response came that vouch did not read whole. */
  | 'unread'
  /** The run ended early: `stop` says why. */
  | 'stopped'
  | 'rate-limited'
  /** Records that the run did not create are gone or changed. */
  | 'others-changed'
  /** Shards, or parts of them, are missing from a merged run. */
  | 'incomplete'
  | 'crashed';

/** The requests of one operation, and their results. */
export interface OperationSummary {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly requests: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Why nothing was sent to it, where nothing was. */
  readonly skipped?: string;
  /**
   * Of its responses in the plan, those that were read whole and judged; absent in records of older
   * versions.
   */
  readonly judged?: number;
  /**
   * Why it answered no success, as a code, and the flag or the member of the configuration that
   * would open it; absent where it did.
   */
  readonly shut?: { readonly code: ShutCode; readonly opens?: string };
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * In how many of its exchanges each check had something to look at; a check that had nothing is
   * not named.
   */
  readonly checks: Readonly<Record<string, number>>;
}

/** What a run came to. */
export interface RunSummary {
  readonly verdict: Verdict;
  /** Why, in a few sentences. */
  readonly reason: string;
  /** What `reason` is about; absent in records of older versions. */
  readonly code?: ReasonCode;
  /** The last sentences of `reason`, which hold beside it; absent where there are none. */
  readonly remarks?: readonly string[];
  /** Why the run ended before its plan did; absent where it did not. */
  readonly stop?: Stop;
  /** How much of the contract answered a success; absent in records of older versions. */
  readonly reach?: Reach;
  /** Every request that was sent, including retries, confirmations and cleanup. */
  readonly requests: number;
  /** How many of them cleaned up what the run created; absent where none did. */
  readonly cleanup?: number;
  readonly durationMs: number;
  readonly findings: { readonly error: number; readonly warning: number; readonly note: number };
  readonly operations: readonly OperationSummary[];
  readonly checks: readonly {
    readonly id: string;
    readonly inspected: number;
    readonly findings: number;
  }[];
  /**
   * How long each operation took to answer, by its id; operations that gave no answer are not
   * named. Absent in records of older versions.
   */
  readonly latency?: Readonly<Record<string, Latency>>;
  /**
   * The findings that the configuration keeps out of the report, each with the reason; absent where
   * there are none.
   */
  readonly skippedFindings?: readonly SkippedFinding[];
  /**
   * What was reached of the contract; absent where the run ended before anything was planned, and
   * in records of older versions.
   */
  readonly coverage?: Coverage;
  /**
   * What happened to the records of other clients; absent if the run changed nothing, or no list
   * could be read.
   */
  readonly census?: CensusReport;
  /** Who could send which operation, the identity of the run first; absent without identities. */
  readonly identities?: readonly IdentityAccess[];
}

/** What one identity was allowed and refused. */
export interface IdentityAccess {
  readonly name: string;
  /**
   * `shut-out`: the service answered 401 to all of its requests, so nothing is known about it.
   * `unproven`: none of its requests succeeded, so its refusals may have another cause.
   * `not-asked`: it had no credential, or no request to send.
   */
  readonly state: 'asked' | 'shut-out' | 'unproven' | 'not-asked';
  /** By operation id; operations that it was not asked for are missing. */
  readonly operations: Readonly<Record<string, OperationAccess>>;
}

/**
 * `allowed`: a request succeeded. `refused`: all were answered with 401, 403 or 404. `unclear`:
 * something else was answered.
 */
export type OperationAccess = 'allowed' | 'refused' | 'unclear';

/** How many operations of a contract answered a success in a run, and why the others did not. */
export interface Reach {
  readonly reached: number;
  /** All operations but those that the user, or the contract, takes out. */
  readonly total: number;
  /** Fewer than half of them were reached. */
  readonly isPartial: boolean;
  /** The others by the reason, the largest group first. */
  readonly shut: readonly ShutGroup[];
}

/** Operations that answered no success for one reason. */
export interface ShutGroup {
  readonly code: ShutCode;
  /** Their ids, in the order of the contract. */
  readonly operations: readonly string[];
  /** Flags or members of the configuration that would open some of them. */
  readonly opens: readonly string[];
}

/** A finding that a skip kept out of the report. It was seen, and not made sure of. */
export interface SkippedFinding {
  readonly check: string;
  readonly severity: Severity;
  /** The id of the operation that shows it best. */
  readonly operation: string;
  readonly message: string;
  /** How often it was seen. */
  readonly count: number;
  readonly reason: string;
  readonly until?: string;
}

/** A record that is named in a report. */
export interface NamedRecord {
  readonly resource: string;
  readonly identifier: string;
}

/** What happened to the records that existed before a run, and which are new. */
export interface CensusReport {
  /** How many lists were read before the first change, and how many records they showed. */
  readonly lists: number;
  readonly records: number;
  /** Records that were there before, that the run did not create, and that are gone. */
  readonly gone: readonly NamedRecord[];
  /** The same, with other values than before; `fields` are their members that differ. */
  readonly changed: readonly (NamedRecord & { readonly fields: readonly string[] })[];
  /** Records that were not there before and that the run does not know as its own. */
  readonly appeared: readonly (NamedRecord & { readonly isMarked: boolean })[];
  /** Whether other clients write to the target at the same time, so that changes prove nothing. */
  readonly isBusy: boolean;
}

/**
 * What a run reached of its contract, and what it did not: operation × status × media type, and
 * parameter or body field × value class. Plain data, fit for JSON; an operation that got no request
 * has its reason alone. It says what was tried and what came, never whether it was right: that is
 * what the findings are for.
 */
export interface Coverage {
  /**
   * Documented statuses (each with each of its media types), over all operations that got requests.
   */
  readonly statuses: CoverageCount;
  /** Value classes of parameters and body fields, over all operations that got requests. */
  readonly inputs: CoverageCount;
  /** In the order of the contract. */
  readonly operations: readonly OperationCoverage[];
}

/** How much of something was reached. */
export interface CoverageCount {
  readonly reached: number;
  readonly total: number;
}

/** What was reached of one operation. */
export interface OperationCoverage {
  readonly operation: string;
  /**
   * What would get it requests, in one sentence; only where it got none. `statuses` and `inputs`
   * are then empty.
   */
  readonly why?: string;
  readonly statuses: readonly StatusCoverage[];
  readonly inputs: readonly InputCoverage[];
}

/** A documented status (`200`, `4XX`, `default`), with one of its media types where it has any. */
export interface StatusCoverage {
  readonly status: string;
  readonly media?: string;
  readonly reached: boolean;
  /** What would reach it, in one sentence; only where it was not. */
  readonly why?: string;
  /**
   * What the contract says of the body and nobody held it against, in one sentence; only where it
   * was reached.
   */
  readonly unjudged?: string;
}

/** A parameter, or a field of the body (`owner.name`, `tags[]`; `''` for the body itself). */
export interface InputCoverage {
  readonly name: string;
  readonly in: RequestPart;
  readonly classes: readonly ClassCoverage[];
}

/**
 * A class of values, such as `minimum`, `enum-value` or `wrong-type`, that the contract gives an
 * input.
 */
export interface ClassCoverage {
  readonly class: string;
  readonly reached: boolean;
  /** What would reach it, in one sentence; only where it was not. */
  readonly why?: string;
}
