import type { Operation } from '../../contract/model.ts';
import type { OperationSummary, RunSummary } from '../event.ts';
import type { Check } from '../checks/check.ts';
import type { Finding, Severity } from '../finding.ts';
import type { Inspections } from './judge.ts';
import type { Ruling } from './verdict.ts';

/** What is counted at the end of a run. */
export interface Tally {
  readonly operations: readonly Operation[];
  /** Why an operation got no request, by its id. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Every exchange, control requests and clean-up included: the operation's id and the status, or the fault. */
  readonly exchanges: readonly { readonly operation: string; readonly outcome: string }[];
  readonly findings: readonly Finding[];
  readonly checks: readonly Check[];
  readonly inspected: Inspections;
  readonly durationMs: number;
}

/** Adds a run up. */
export function summarise(tally: Tally, ruling: Ruling): RunSummary {
  const { findings, exchanges, checks, inspected } = tally;
  return {
    verdict: ruling.verdict,
    reason: ruling.reason,
    requests: exchanges.length,
    durationMs: tally.durationMs,
    findings: { error: countOf(findings, 'error'), warning: countOf(findings, 'warning'), note: countOf(findings, 'note') },
    operations: tally.operations.map((operation) => summariseOperation(operation, tally)),
    checks: checks.map(({ id }) => ({ id, inspected: [...inspected.values()].reduce((sum, counts) => sum + (counts.get(id) ?? 0), 0), findings: findings.filter((finding) => finding.check === id).length })),
  };
}

function countOf(findings: readonly Finding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

function summariseOperation({ id, method, path }: Operation, { exchanges, findings, skipped, inspected }: Tally): OperationSummary {
  const own = exchanges.filter(({ operation }) => operation === id);
  const touching = findings.filter(({ operations }) => operations.includes(id));
  const byOutcome = [...Map.groupBy(own, ({ outcome }) => outcome)].sort(([left], [right]) => (left < right ? -1 : 1));
  const reason = skipped.get(id);
  return {
    id,
    method,
    path,
    requests: own.length,
    errors: countOf(touching, 'error'),
    warnings: countOf(touching, 'warning'),
    notes: countOf(touching, 'note'),
    ...(own.length > 0 || reason === undefined ? {} : { skipped: reason }),
    statuses: Object.fromEntries(byOutcome.map(([outcome, times]) => [outcome, times.length])),
    checks: Object.fromEntries(inspected.get(id) ?? []),
  };
}
