import type { Finding, Severity } from '../../check/finding.ts';
import { separate, withOthers } from '../../check/judge/join-causes.ts';
import { orderFindings } from '../../check/judge/order-findings.ts';

const ranks: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

/** Findings of several shards as one run would have told them: one for each id, as its worst shard tells it, with all its counts and operations. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const leaders = new Map(findings.flatMap(({ id, alsoSeenAs = [] }) => alsoSeenAs.map((other) => [other.id, id] as const)).filter(([other, leader]) => other !== leader));
  const byId = Map.groupBy(findings.flatMap(separate), ({ id }) => id);
  const joined = [...byId.values()].flatMap((alike) => joinAlike(alike));
  const leaderOf = ({ id }: Finding): string | undefined => {
    const leader = leaders.get(id);
    // Where two shards disagree on who explains whom, both are told.
    return leader === undefined || leaders.has(leader) ? undefined : leader;
  };
  return orderFindings(joined.filter((finding) => leaderOf(finding) === undefined).map((finding) => withOthers(finding, joined.filter((other) => leaderOf(other) === finding.id))));
}

function joinAlike(alike: readonly Finding[]): Finding[] {
  const [worst] = alike.toSorted((left, right) => ranks[right.severity] - ranks[left.severity]);
  if (worst === undefined) return [];
  return [{ ...worst, count: alike.reduce((sum, { count }) => sum + count, 0), operations: [...new Set(alike.flatMap(({ operations }) => operations))] }];
}
