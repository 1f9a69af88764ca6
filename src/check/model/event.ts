import type { Exchange } from './exchange.ts';
import type { Finding, OperationName, OverlayAction, Severity } from './finding.ts';
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
      readonly operation: OperationName;
      readonly reason: string;
    }
  | {
      readonly type: 'plan-made';
      readonly cases: number;
      readonly requests: number;
      /**
       * The usual time of an answer so far, and how long the plan takes at that rate, without
       * confirmations and cleanup; absent before the first answer.
       */
      readonly answerMs?: number;
      readonly expectedMs?: number;
    }
  | {
      readonly type: 'exchange-recorded';
      readonly case: {
        readonly id: string;
        readonly title: string;
        readonly phase: Phase;
        readonly operation: string;
      };
      readonly exchange: Exchange;
      /** From the start of the run to the end of the exchange; absent if unknown. */
      readonly elapsedMs?: number;
    }
  | { readonly type: 'finding-reported'; readonly finding: Finding }
  | ({ readonly type: 'gap-observed' } & ObservedGap)
  | { readonly type: 'difference-found'; readonly difference: TargetDifference }
  | {
      readonly type: 'record-left';
      readonly operation: string;
      readonly record: string;
      readonly reason: string;
      /** Why they stay, and how many there are; absent in records of older versions. */
      readonly code?: LeftCode;
      readonly count?: number;
    }
  | ({ readonly type: 'check-crashed' } & Crash)
  | { readonly type: 'run-finished'; readonly summary: RunSummary };

/** A check that threw: an internal error. */
export interface Crash {
  readonly check: string;
  readonly message: string;
  readonly stack: string;
}

/** A gap of the contract, and the observed behaviour of the target. */
export interface ObservedGap {
  readonly gap: { readonly id: string; readonly message: string };
  readonly observed: string;
  /** What closes the gap. */
  readonly overlayAction?: OverlayAction;
}

/** What a run is about to do, reported before its first request. */
export interface RunInfo {
  /** Marks what the run creates: `vouch-7f3a9c`. */
  readonly id: string;
  readonly target: string;
  /** Base URLs of servers that operations declare themselves, by name. */
  readonly servers: Readonly<Record<string, string>>;
  readonly contract: { readonly title: string; readonly version: string; readonly file: string };
  readonly mode: Mode;
  /**
   * What the run may leave on the target; absent in records of older versions, and if nothing is
   * sent.
   */
  readonly effects?: RunEffects;
  /** The mildest severity that fails the run, if it is not `error`. */
  readonly failOn?: Severity;
  /** The base URL of the deployment that this one is compared with. */
  readonly against?: string;
  /** Whether the exchanges are a recording, so that nothing is sent. */
  readonly recorded?: true;
  /** Whether the recording is the traffic through `vouch proxy`. */
  readonly proxied?: true;
  /** Which credentials are not sent, and which are missing; absent if there are none. */
  readonly credentials?: readonly CredentialNote[];
  readonly seed: string;
  /** Which part of the plan this run is, if the plan is split: `index` counts from 1. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly version: string;
}

/** What a run may leave on its target, reported before its first request. */
export interface RunEffects {
  /** The operations that create records, `POST /things`. */
  readonly creates: readonly string[];
  /** Those of them whose records the run cannot delete again. */
  readonly undeletable: readonly string[];
  /** Operations that act without a record, such as sending a message: nothing can undo them. */
  readonly acts: readonly string[];
  /** What the user's workflows change, on any record; absent if they change nothing. */
  readonly named?: readonly string[];
}

/**
 * Notes for users about credentials before the run: those that are not sent, and those that are
 * missing.
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
  /** No operation requires the scheme of a named credential, so it is not sent. */
  | { readonly code: 'scheme-not-asked-for'; readonly scheme: string }
  /** Operations of the run require a scheme that has no credential. */
  | { readonly code: 'credential-missing'; readonly scheme: string; readonly operations: number }
  /** The variable with the credential of an identity is not set, so the identity sends nothing. */
  | {
      readonly code: 'identity-not-asked';
      readonly identity: string;
      readonly variable: string;
    };

/** How two deployments differ: whether they respond, and how. */
export type DifferenceKind =
  'answer' | 'status' | 'media-type' | 'header' | 'shape' | 'value' | 'gap';

/**
 * One way in which two deployments respond differently to the same cases. It does not make either
 * wrong; findings do.
 */
export interface TargetDifference {
  /** Stays the same from run to run as long as the difference exists. */
  readonly id: string;
  readonly operation: OperationName;
  readonly kind: DifferenceKind;
  /** `warning` if a client is likely to notice; `note` if only the data may differ. */
  readonly severity: 'warning' | 'note';
  /**
   * The place in the response: a header's name, a place in the body (`/items/*\/price`), a gap's
   * id; empty for the whole response.
   */
  readonly at: string;
  /** The cases that show it, one of them by title. */
  readonly trying: string;
  readonly count: number;
  /** What the checked deployment does, and what the other one does. */
  readonly left: string;
  readonly right: string;
}
