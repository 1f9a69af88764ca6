import type { Contract } from '../../contract/model.ts';
import type { Finding, Severity } from '../model/finding.ts';
import { tell, ties, type Told } from './same-cause.ts';
import { withEvidence } from './write-evidence.ts';

const ranks: Readonly<Record<Severity, number>> = { note: 0, warning: 1, error: 2 };

/**
 * One cause, one finding, across checks: a finding that another one explains is told with that one,
 * whole, in `alsoSeenAs`, and named in its evidence. A finding explains none that is worse, and
 * none that a baseline treats otherwise; notes stand alone.
 */
export function joinCauses(findings: readonly Finding[], contract: Contract): Finding[] {
  const told = findings.map((finding) => tell(finding, contract));
  const leaders = new Map<Told, Told>();
  const rootOf = (one: Told): Told => {
    const leader = leaders.get(one);
    return leader === undefined ? one : rootOf(leader);
  };
  for (const { leads, explains } of ties) {
    for (const leader of told.filter(leads)) {
      for (const other of told) {
        const root = rootOf(leader);
        if (
          other !== leader &&
          !leaders.has(other) &&
          root !== other &&
          mayLead(root, other) &&
          explains(leader, other)
        )
          leaders.set(other, root);
      }
    }
  }
  return told
    .filter((one) => !leaders.has(one))
    .map((one) =>
      withOthers(
        one.finding,
        told
          .filter((other) => other !== one && rootOf(other) === one)
          .map(({ finding }) => finding),
      ),
    );
}

function mayLead({ finding: leader }: Told, { finding: other }: Told): boolean {
  return (
    ranks[own(leader)] >= ranks[own(other)] &&
    own(other) !== 'note' &&
    leader.accepted === other.accepted &&
    leader.blame === other.blame
  );
}

/** The severity without a baseline. */
function own({ severity, accepted }: Finding): Severity {
  return accepted ?? severity;
}

/** A finding that speaks for others too. */
export function withOthers(finding: Finding, others: readonly Finding[]): Finding {
  return others.length === 0 ? finding : withEvidence({ ...finding, alsoSeenAs: others });
}

/** A finding and those that it speaks for, each by itself again. */
export function separate(finding: Finding): Finding[] {
  const { alsoSeenAs, ...alone } = finding;
  if (alsoSeenAs === undefined) return [finding];
  return [withEvidence(alone), ...alsoSeenAs];
}
