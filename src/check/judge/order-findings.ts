import { checks } from '../checks/index.ts';
import type { Finding, Severity } from '../model/finding.ts';

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * The findings in the order in which they are reported: the worst first, then in the order of the
 * checks, then by place.
 */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity, check }: Finding): number =>
    severities.indexOf(severity) * 1000 + checks.findIndex(({ id }) => id === check);
  return findings.toSorted(
    (left, right) =>
      rank(left) - rank(right) ||
      left.place.line - right.place.line ||
      left.place.column - right.place.column ||
      (left.id < right.id ? -1 : 1),
  );
}
