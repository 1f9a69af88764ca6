import type { Exchange } from './exchange.ts';
import type { Finding, OperationName, Severity } from './finding.ts';
import type { Mode, Phase } from './phase.ts';
import type { LeftCode } from './record.ts';
import type { RunSummary } from './run-summary.ts';

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
      readonly exchange: Exchange;
      /** From the start of the run to the end of the exchange; absent where it is not known. */
      readonly elapsedMs?: number;
    }
  | { readonly type: 'finding-reported'; readonly finding: Finding }
  | {
      readonly type: 'gap-observed';
      readonly gap: { readonly id: string; readonly message: string };
      readonly observed: string;
    }
  | { readonly type: 'difference-found'; readonly difference: TargetDifference }
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

/** What a run may leave on its target, told before its first request. */
export interface RunEffects {
  /** The operations that create records, `POST /things`. */
  readonly creates: readonly string[];
  /** Those of them whose records the run cannot delete again. */
  readonly undeletable: readonly string[];
  /** Operations that act without a record, such as sending a message: nothing can undo them. */
  readonly acts: readonly string[];
}

/**
 * What a user should know of the credentials before the run: what is not sent, and what is missing.
 */
export type CredentialNote =
  /** No operation of the contract requires a credential, so the unnamed token is not sent. */
  | { readonly code: 'token-not-asked-for'; readonly variable: string }
  /** Named credentials are enough for every operation, so the unnamed token is not sent. */
  | { readonly code: 'token-not-needed'; readonly variable: string }
  /** The unnamed token could be for several schemes, so it is not sent. */
  | {
      readonly code: 'token-ambiguous';
      readonly variable: string;
      readonly schemes: readonly string[];
    }
  /** No operation asks for the scheme of a named credential, so it is not sent. */
  | { readonly code: 'scheme-not-asked-for'; readonly scheme: string }
  /** Operations of the run ask for a scheme that has no credential. */
  | { readonly code: 'credential-missing'; readonly scheme: string; readonly operations: number };

/** In what two deployments differ: whether they answer at all, and how. */
export type DifferenceKind =
  'answer' | 'status' | 'media-type' | 'header' | 'shape' | 'value' | 'gap';

/**
 * One way in which two deployments answer the same cases differently. Neither is wrong by it; what
 * is wrong is a finding.
 */
export interface TargetDifference {
  /** Stays the same from run to run as long as the difference does. */
  readonly id: string;
  readonly operation: OperationName;
  readonly kind: DifferenceKind;
  /** `warning` where a client is likely to notice; `note` where only the data may differ. */
  readonly severity: 'warning' | 'note';
  /**
   * Where in the answer: a header's name, a place in the body (`/items/*\/price`), a gap's id;
   * empty for the answer as a whole.
   */
  readonly at: string;
  /** The cases it was seen with, one of them by title. */
  readonly trying: string;
  readonly count: number;
  /** What the deployment that is checked does, and what the other one does. */
  readonly left: string;
  readonly right: string;
}
