import { separate, withEvidence, withOthers } from '../../check/judge/join-causes.ts';
import { orderFindings } from '../../check/judge/summary.ts';
import type { Finding, Severity } from '../../check/model/finding.ts';

const ranks: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

/**
 * Findings of several shards as one run would have told them: one for each id, as its worst shard
 * tells it, with all its counts and operations.
 */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const leaders = new Map(
    findings
      .flatMap(({ id, alsoSeenAs = [] }) => alsoSeenAs.map((other) => [other.id, id] as const))
      .filter(([other, leader]) => other !== leader),
  );
  const byId = Map.groupBy(findings.flatMap(separate), ({ id }) => id);
  const joined = [...byId.values()].flatMap((alike) => joinAlike(alike));
  const severities = new Map(joined.map(({ id, severity }) => [id, severity]));
  const leaderOf = ({ id, severity }: Finding): string | undefined => {
    const leader = leaders.get(id) ?? '';
    const its = severities.get(leader);
    // Where two shards disagree on who explains whom, both are told; and nothing explains what is
    // worse in another shard.
    return its === undefined || leaders.has(leader) || ranks[its] < ranks[severity]
      ? undefined
      : leader;
  };
  return orderFindings(
    joined
      .filter((finding) => leaderOf(finding) === undefined)
      .map((finding) =>
        withOthers(
          finding,
          joined.filter((other) => leaderOf(other) === finding.id),
        ),
      ),
  );
}

function joinAlike(alike: readonly Finding[]): Finding[] {
  const [worst] = alike.toSorted((left, right) => ranks[right.severity] - ranks[left.severity]);
  if (worst === undefined) return [];
  const count = alike.reduce((sum, finding) => sum + finding.count, 0);
  return [
    {
      ...withEvidence({ ...worst, count }),
      operations: [...new Set(alike.flatMap(({ operations }) => operations))],
    },
  ];
}
