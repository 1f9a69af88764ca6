import type { Difference } from './against/difference.ts';
import type { CensusReport } from './census/census.ts';
import type { LeftCode } from './cleanup/left-records.ts';
import type { Coverage } from './coverage/coverage.ts';
import type { RunEffects } from './effect/run-effects.ts';
import type { Exchange, Finding, Severity } from './finding.ts';
import type { CredentialNote } from './secrets/credential-note.ts';
import type { SkippedFinding } from './skip.ts';
import type { Stop } from './stop.ts';
import type { Latency } from './evidence/latency.ts';

/** The steps of a run, in order. */
export const phases = [
  'probe',
  'read',
  'boundary',
  'negative',
  'auth',
  'sequence',
  'random',
  'confirm',
  'cleanup',
] as const;
/** The parts of a run, in the order in which they come. */
export type Phase = (typeof phases)[number];

/** What a run may do, from the least to the most. */
export const modes = ['read-only', 'read-write', 'fuzz'] as const;
/**
 * `read-only` sends only GET, HEAD and OPTIONS. `read-write` also creates records, and deletes what
 * it created. `fuzz` does the same with volume.
 */
export type Mode = (typeof modes)[number];

/** What a run is about to do, told before its first request. */
export interface RunInfo {
  /** Marks what the run creates: `vouch-7f3a9c`. */
  readonly id: string;
  readonly target: string;
  /** Base URLs of servers that operations name for themselves, by name. */
  readonly servers: Readonly<Record<string, string>>;
  readonly contract: { readonly title: string; readonly version: string; readonly file: string };
  readonly mode: Mode;
  /**
   * What the run may leave on the target; absent in records of older versions, and where nothing is
   * sent.
   */
  readonly effects?: RunEffects;
  /**
   * The mildest severity that breaks the contract, where the run was asked for another than
   * `error`.
   */
  readonly failOn?: Severity;
  /** The base URL of the deployment that this one is compared with. */
  readonly against?: string;
  /** Whether the exchanges were recorded before, so that nothing is sent. */
  readonly recorded?: true;
  /**
   * What of the credentials is not sent, and which are missing; absent where there is nothing to
   * say.
   */
  readonly credentials?: readonly CredentialNote[];
  readonly seed: string;
  /**
   * Which part of the plan this run is, where the plan is split over several: `index` counts from
   * 1.
   */
  readonly shard?: { readonly index: number; readonly count: number };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly version: string;
}

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

/** What was asked of one operation, and what came of it. */
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
  /** Every request that was sent: retries, confirmations and clean-up included. */
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
   * What became of the records of others; absent where the run changed nothing, or no list could be
   * read.
   */
  readonly census?: CensusReport;
}

/**
 * What happens in a run. Reporters read this stream; nothing else prints. `run-finished` is always
 * the last.
 */
export type RunEvent =
  | { readonly type: 'run-started'; readonly run: RunInfo }
  | {
      readonly type: 'operation-skipped';
      readonly operation: { readonly id: string; readonly method: string; readonly path: string };
      readonly reason: string;
    }
  | { readonly type: 'plan-made'; readonly cases: number; readonly requests: number }
  | {
      readonly type: 'exchange-recorded';
      readonly case: {
        readonly id: string;
        readonly title: string;
        readonly phase: Phase;
        readonly operation: string;
      };
      readonly exchange: Exchange /** From the start of the run to the end of the exchange; left out where nobody took the time. */;
      readonly elapsedMs?: number;
    }
  | { readonly type: 'finding-reported'; readonly finding: Finding }
  | {
      readonly type: 'gap-observed';
      readonly gap: { readonly id: string; readonly message: string };
      readonly observed: string;
    }
  | { readonly type: 'difference-found'; readonly difference: Difference }
  | {
      readonly type: 'record-left';
      readonly operation: string;
      readonly record: string;
      readonly reason: string;
      /** Why they stay, and how many they are; absent in records of older versions. */
      readonly code?: LeftCode;
      readonly count?: number;
    }
  | {
      readonly type: 'check-crashed';
      readonly check: string;
      readonly message: string;
      readonly stack: string;
    }
  | { readonly type: 'run-finished'; readonly summary: RunSummary };
