import type { Exchange, Finding } from './finding.ts';

/** The steps of a run, in order. */
const phases = ['probe', 'read', 'boundary', 'negative', 'auth', 'sequence', 'confirm', 'cleanup'] as const;
/** The parts of a run, in the order in which they come. */
export type Phase = (typeof phases)[number];

/** `read-only` sends only GET, HEAD and OPTIONS. `read-write` also creates records, and deletes what it created. */
export type Mode = 'read-only' | 'read-write';

/** What a run is about to do, told before its first request. */
export interface RunInfo {
  /** Marks what the run creates: `vouch-7f3a9c`. */
  readonly id: string;
  readonly target: string;
  /** Base URLs of servers that operations name for themselves, by name. */
  readonly servers: Readonly<Record<string, string>>;
  readonly contract: { readonly title: string; readonly version: string; readonly file: string };
  readonly mode: Mode;
  readonly seed: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly version: string;
}

/** kept: nothing of severity error. broken: something. inconclusive: too little was seen to say. crashed: vouch's own fault. */
export type Verdict = 'kept' | 'broken' | 'inconclusive' | 'crashed' | 'interrupted';

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
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>;
  /** In how many of its exchanges each check had something to look at; a check that had nothing is not named. */
  readonly checks: Readonly<Record<string, number>>;
}

/** What a run came to. */
export interface RunSummary {
  readonly verdict: Verdict;
  /** Why, in one sentence. */
  readonly reason: string;
  readonly requests: number;
  readonly durationMs: number;
  readonly findings: { readonly error: number; readonly warning: number; readonly note: number };
  readonly operations: readonly OperationSummary[];
  readonly checks: readonly { readonly id: string; readonly inspected: number; readonly findings: number }[];
}

/** What happens in a run. Reporters read this stream; nothing else prints. `run-finished` is always the last. */
export type RunEvent =
  | { readonly type: 'run-started'; readonly run: RunInfo }
  | { readonly type: 'operation-skipped'; readonly operation: { readonly id: string; readonly method: string; readonly path: string }; readonly reason: string }
  | { readonly type: 'plan-made'; readonly cases: number; readonly requests: number }
  | { readonly type: 'exchange-recorded'; readonly case: { readonly id: string; readonly title: string; readonly phase: Phase; readonly operation: string }; readonly exchange: Exchange }
  | { readonly type: 'finding-reported'; readonly finding: Finding }
  | { readonly type: 'gap-observed'; readonly gap: { readonly id: string; readonly message: string }; readonly observed: string }
  | { readonly type: 'record-left'; readonly operation: string; readonly record: string; readonly reason: string }
  | { readonly type: 'check-crashed'; readonly check: string; readonly message: string; readonly stack: string }
  | { readonly type: 'run-finished'; readonly summary: RunSummary };
