import { wordsIn } from '../../../words-in.ts';
import { pick } from '../../../json/value.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Check } from '../../topics/check.ts';
import { latencyOf } from '../../reading/latency.ts';
import { type Finding, nameOperation, type Severity } from '../../model/finding.ts';
import type { Latency } from '../../model/knowledge.ts';
import type { OperationSummary, RunSummary } from '../../model/run-summary.ts';
import { separate } from './evidence.ts';
import type { Inspections } from './judge.ts';
import { reachOf, type Shut } from './reach.ts';
import type { OperationReading } from './readings.ts';
import type { VerdictResult } from './verdict.ts';

/** An exchange as it is counted: the operation's id, and the status or the fault. */
export interface CountedExchange {
  readonly operation: string;
  readonly outcome: string;
  /** How often its request was sent. Default: once; twice if the connection was closed. */
  readonly sent?: number;
  /** How many exchanges it stands for, all alike. Default: one. */
  readonly times?: number;
  /** Whether it was sent for cleanup. */
  readonly isCleanup?: boolean;
  /** How long the response took; absent without a response or a measurement. */
  readonly durationMs?: number;
}

export interface RunCounts {
  readonly operations: readonly Operation[];
  /** Why an operation got no request, by its id. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Why operations had no success, by id; absent if unknown. */
  readonly shut?: ReadonlyMap<string, Shut>;
  /** Every exchange, including control requests and cleanup. */
  readonly exchanges: readonly CountedExchange[];
  readonly findings: readonly Finding[];
  /** What was read of the responses; absent if unknown. */
  readonly readings?: readonly OperationReading[];
  readonly checks: readonly Check[];
  readonly inspected: Inspections;
  readonly durationMs: number;
}

export function summarise(tally: RunCounts, ruling: VerdictResult): RunSummary {
  const { findings, exchanges, checks, inspected } = tally;
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation);
  const { remarks } = ruling;
  const cleanup = sentIn(exchanges.filter(({ isCleanup }) => isCleanup === true));
  const operations = tally.operations.map((operation) =>
    summariseOperation(operation, byOperation.get(operation.id) ?? [], tally),
  );
  return {
    ...pick(ruling, wordsIn('verdict reason code')),
    ...(tally.shut === undefined ? {} : { reach: reachOf(operations) }),
    ...(remarks.length === 0 ? {} : { remarks }),
    requests: sentIn(exchanges),
    ...(cleanup === 0 ? {} : { cleanup }),
    durationMs: tally.durationMs,
    findings: {
      error: countOf(findings, 'error'),
      warning: countOf(findings, 'warning'),
      note: countOf(findings, 'note'),
    },
    operations,
    checks: checks.map(({ id }) => ({
      id,
      inspected: [...inspected.values()].reduce((sum, counts) => sum + (counts.get(id) ?? 0), 0),
      findings: findings.flatMap(separate).filter((finding) => finding.check === id).length,
    })),
    latency: latencies(tally.operations, byOperation),
  };
}

function sentIn(exchanges: readonly CountedExchange[]): number {
  return exchanges.reduce((sum, { sent = 1, times = 1 }) => sum + sent * times, 0);
}

function countAll(exchanges: readonly CountedExchange[]): number {
  return exchanges.reduce((sum, { times = 1 }) => sum + times, 0);
}

function countOf(findings: readonly Finding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

function latencies(
  operations: readonly Operation[],
  exchanges: ReadonlyMap<string, readonly CountedExchange[]>,
): Record<string, Latency> {
  return Object.fromEntries(
    operations.flatMap(({ id }): [string, Latency][] => {
      const latency = latencyOf(
        (exchanges.get(id) ?? []).flatMap(({ durationMs }) => durationMs ?? []),
      );
      return latency === undefined
        ? []
        : [
            [
              id,
              {
                count: latency.count,
                p50: round(latency.p50),
                p95: round(latency.p95),
                max: round(latency.max),
              },
            ],
          ];
    }),
  );
}

/** A microsecond is precise enough. */
function round(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

/** The bugs that touch an operation: with a finding of their own, or with one that they explain. */
export function touchingOf(findings: readonly Finding[], id: string): Finding[] {
  return findings.filter((finding) =>
    separate(finding).some(({ operations }) => operations.includes(id)),
  );
}

function summariseOperation(
  summarised: Operation,
  own: readonly CountedExchange[],
  { checks, findings, skipped, shut, inspected, readings }: RunCounts,
): OperationSummary {
  const { id, method, path } = nameOperation(summarised);
  const touching = touchingOf(findings, id);
  const byOutcome = [...Map.groupBy(own, ({ outcome }) => outcome)].sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const reason = skipped.get(id);
  const judged = readings?.find(({ operation }) => operation.id === id)?.read ?? 0;
  return {
    id,
    method,
    path,
    requests: sentIn(own),
    errors: countOf(touching, 'error'),
    warnings: countOf(touching, 'warning'),
    notes: countOf(touching, 'note'),
    ...(own.length > 0 || reason === undefined ? {} : { skipped: reason }),
    ...(readings === undefined ? {} : { judged }),
    shut: shut?.get(id),
    statuses: Object.fromEntries(byOutcome.map(([outcome, alike]) => [outcome, countAll(alike)])),
    checks: Object.fromEntries(
      checks.flatMap((check): [string, number][] => {
        const count = inspected.get(id)?.get(check.id);
        return count === undefined ? [] : [[check.id, count]];
      }),
    ),
  };
}
