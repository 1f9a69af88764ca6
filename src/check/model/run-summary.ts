import type { Place } from '../../errors.ts';
import type { RequestPart, ShutCode } from './case.ts';
import type { OperationName, Severity } from './finding.ts';
import type { Latency } from './knowledge.ts';
import type { Stop } from './stop.ts';

/**
 * passed: no error. failed: an error. inconclusive: too few results for a verdict. crashed: an
 * internal error of vouch.
 */
export type Verdict = 'passed' | 'failed' | 'inconclusive' | 'crashed' | 'interrupted';

/** The kind of a verdict's reason. */
export type ReasonCode =
  | 'no-findings'
  | 'findings'
  | 'nothing-changed'
  | 'nothing-tested'
  /** A response could not be read completely. */
  | 'unread'
  /** The run ended early; `stop` has the reason. */
  | 'stopped'
  | 'rate-limited'
  /** Records that the run did not create are gone or changed. */
  | 'others-changed'
  /** Shards, or parts of them, are missing from a merged run. */
  | 'incomplete'
  | 'crashed';

/** The requests of one operation, and their results. */
export interface OperationSummary extends OperationName {
  readonly requests: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Why no request was sent to it; absent if one was. */
  readonly skipped?: string | undefined;
  /**
   * The number of its planned responses that were read completely and judged; absent in records of
   * older versions.
   */
  readonly judged?: number | undefined;
  /**
   * Why it had no success, as a code, and the flag or the member of the configuration that would
   * change it; absent if it had one.
   */
  readonly shut?: { readonly code: ShutCode; readonly opens?: string | undefined } | undefined;
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * The number of its exchanges to which each check applied; checks that applied to none are
   * absent.
   */
  readonly checks: Readonly<Record<string, number>>;
}

/** The result of a run. */
export interface RunSummary {
  readonly verdict: Verdict;
  /** The reason in a few sentences. */
  readonly reason: string;
  /** The kind of `reason`; absent in records of older versions. */
  readonly code?: ReasonCode;
  /** The last sentences of `reason`, which are additional; absent if there are none. */
  readonly remarks?: readonly string[];
  /** Why the run ended before its plan; absent if it did not. */
  readonly stop?: Stop;
  /** How much of the contract had a success; absent in records of older versions. */
  readonly reach?: Reach;
  /** Every request that was sent, including retries, confirmations and cleanup. */
  readonly requests: number;
  /** The number of cleanup requests among them; absent if there were none. */
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
   * The latency of each operation, by its id; operations without a response are absent. Absent in
   * records of older versions.
   */
  readonly latency?: Readonly<Record<string, Latency>>;
  /**
   * The findings that the configuration excludes from the report, each with the reason; absent if
   * there are none.
   */
  readonly skippedFindings?: readonly SkippedFinding[];
  /**
   * The coverage of the contract; absent if the run ended before its plan was made, and in records
   * of older versions.
   */
  readonly coverage?: Coverage;
  /**
   * What happened to the records of other clients; absent if the run changed nothing, or no list
   * could be read.
   */
  readonly census?: CensusReport;
  /** Who could send which operation, the identity of the run first; absent without identities. */
  readonly identities?: readonly IdentityAccess[];
  /** The user's workflows, in the order in which they ran; absent without any. */
  readonly workflows?: readonly WorkflowSummary[];
}

/** What became of a workflow of the user. */
export interface WorkflowSummary {
  readonly id: string;
  /** Where it is written. */
  readonly place: Place;
  /** `not-run`: it was not begun, or could not be run to its end. */
  readonly outcome: 'passed' | 'failed' | 'not-run';
  /** Why it was not run, as a clause. */
  readonly reason?: string;
  readonly durationMs: number;
  readonly steps: readonly WorkflowStepSummary[];
}

/** What became of one step of a workflow, each time that it was executed. */
export interface WorkflowStepSummary {
  /** With the name of its workflow in front if another workflow calls it: `order/pay`. */
  readonly id: string;
  /** `retried`: it failed, and was executed again. `handled`: it failed, and others followed. */
  readonly outcome: 'passed' | 'failed' | 'retried' | 'handled';
  /** `POST /pets`; absent if it calls a workflow, or was not sent. */
  readonly operation?: string;
  readonly status?: number | undefined;
  readonly durationMs?: number;
  /** Why it failed, in a few sentences. */
  readonly reason?: string;
}

/** What one identity may and may not do. */
export interface IdentityAccess {
  readonly name: string;
  /**
   * `shut-out`: the service answered 401 to all of its requests, so nothing is known about it.
   * `unproven`: none of its requests succeeded, so its refusals may have another cause.
   * `not-asked`: it had no credential, or no request to send.
   */
  readonly state: 'asked' | 'shut-out' | 'unproven' | 'not-asked';
  /** By operation id; operations without a request of the identity are missing. */
  readonly operations: Readonly<Record<string, OperationAccess>>;
}

/**
 * `allowed`: a request succeeded. `refused`: all got 401, 403 or 404. `unclear`: any other
 * responses.
 */
export type OperationAccess = 'allowed' | 'refused' | 'unclear';

/** How many operations of a contract had a success in a run, and why the others had none. */
export interface Reach {
  readonly reached: number;
  /** The number of operations, without those that the user or the contract excludes. */
  readonly total: number;
  /** Whether fewer than half of them were reached. */
  readonly isPartial: boolean;
  /** The others by reason, the largest group first. */
  readonly shut: readonly ShutGroup[];
}

/** Operations without a success for one reason. */
export interface ShutGroup {
  readonly code: ShutCode;
  /** Their ids, in the order of the contract. */
  readonly operations: readonly string[];
  /** Flags or members of the configuration that would change some of them. */
  readonly opens: readonly string[];
}

/** A finding that a skip excludes from the report. It was seen, but not confirmed. */
export interface SkippedFinding {
  readonly check: string;
  readonly severity: Severity;
  /** The id of the operation that shows it best. */
  readonly operation: string;
  readonly message: string;
  /** The number of times that it was seen. */
  readonly count: number;
  readonly reason: string;
  readonly until?: string | undefined;
}

/** A record that is named in a report. */
export interface NamedRecord {
  readonly resource: string;
  readonly identifier: string;
}

/** Lost, changed and new records, compared with those before a run. */
export interface CensusReport {
  /** The number of lists that were read before the first change, and of their records. */
  readonly lists: number;
  readonly records: number;
  /** Reads that showed entries which no list of records has; only without such records. */
  readonly elsewhere?: readonly string[];
  /** Records of other clients that existed before and are gone. */
  readonly gone: readonly NamedRecord[];
  /** Records of other clients with changed values; `fields` are the members that differ. */
  readonly changed: readonly (NamedRecord & { readonly fields: readonly string[] })[];
  /** New records that are not known to belong to the run. */
  readonly appeared: readonly (NamedRecord & { readonly isMarked: boolean })[];
  /** Whether other clients write to the target at the same time, so that changes prove nothing. */
  readonly isBusy: boolean;
}

/**
 * What a run covered of its contract, and what it did not: operation × status × media type, and
 * parameter or body field × value class. Plain data for JSON; an operation without requests has
 * only a reason. It states what was tried and which responses occurred, not whether they were
 * correct: findings report that.
 */
export interface Coverage {
  /** Documented statuses (each with each of its media types), over all operations with requests. */
  readonly statuses: CoverageCount;
  /** Value classes of parameters and body fields, over all operations with requests. */
  readonly inputs: CoverageCount;
  /** In the order of the contract. */
  readonly operations: readonly OperationCoverage[];
}

/** The number of covered items, of all. */
export interface CoverageCount {
  readonly reached: number;
  readonly total: number;
}

/** The coverage of one operation. */
export interface OperationCoverage {
  readonly operation: string;
  /**
   * How to send requests to it, in one sentence; only if there were none. `statuses` and `inputs`
   * are then empty.
   */
  readonly why?: string;
  readonly statuses: readonly StatusCoverage[];
  readonly inputs: readonly InputCoverage[];
}

/** A documented status (`200`, `4XX`, `default`), with one of its media types, if it has any. */
export interface StatusCoverage {
  readonly status: string;
  readonly media?: string | undefined;
  readonly reached: boolean;
  /** How to reach it, in one sentence; only if it was not reached. */
  readonly why?: string;
  /**
   * The rules of the contract for the body that were not checked, in one sentence; only if it was
   * reached.
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
 * A class of values, such as `minimum`, `enum-value` or `wrong-type`, that the contract defines for
 * an input.
 */
export interface ClassCoverage {
  readonly class: string;
  readonly reached: boolean;
  /** How to reach it, in one sentence; only if it was not reached. */
  readonly why?: string;
}
