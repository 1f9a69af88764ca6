import type { Finding, Severity } from '../../check/finding.ts';
import { orderFindings } from '../../check/judge/order-findings.ts';

const ranks: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

/** Findings of several shards as one run would have told them: one for each id, as its worst shard tells it, with all its counts and operations. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const byId = Map.groupBy(findings, ({ id }) => id);
  return orderFindings([...byId.values()].flatMap((alike) => joinAlike(alike)));
}

function joinAlike(alike: readonly Finding[]): Finding[] {
  const [worst] = alike.toSorted((left, right) => ranks[right.severity] - ranks[left.severity]);
  if (worst === undefined) return [];
  return [{ ...worst, count: alike.reduce((sum, { count }) => sum + count, 0), operations: [...new Set(alike.flatMap(({ operations }) => operations))] }];
}
