import { type Basis, type Finding, harms, type Score } from '../../model/finding.ts';
import type { Check } from '../../topics/check.ts';
import { checks } from '../../topics/index.ts';
import { separate } from './evidence.ts';

const harmOf = new Map<string, Check['harm']>(checks.map(({ id, harm }) => [id, harm]));
const order = new Map<string, number>(checks.map(({ id }, index) => [id, index]));

const ofSeverity = { error: 200, warning: 100, note: 0 } as const;
const ofCertainty: Readonly<Record<Basis, number>> = {
  contract: 4,
  protocol: 4,
  inferred: 2,
  advice: 0,
};
const pointsOfHarm = 10;
const mostBreadth = 5;

/** How much a finding matters, with all that it explains. */
function scoreOf(finding: Finding): Score {
  const all = separate(finding);
  const worst = Math.min(
    ...all.map(({ check }) => harms.indexOf(harmOf.get(check) ?? 'form')),
    harms.length - 1,
  );
  const operations = new Set(all.flatMap((one) => one.operations)).size;
  const parts = {
    severity: ofSeverity[finding.severity],
    harm: (harms.length - worst) * pointsOfHarm,
    certainty: ofCertainty[finding.basis],
    breadth: Math.min(mostBreadth, Math.max(0, operations - 1)),
  };
  return { total: Object.values(parts).reduce((sum, part) => sum + part, 0), ...parts };
}

/**
 * The findings with their scores in the order in which they are reported: what matters most to a
 * client first; then in the order of the checks, and by place.
 */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  return findings
    .map((finding) => ({ ...finding, score: scoreOf(finding) }))
    .sort(
      (left, right) =>
        right.score.total - left.score.total ||
        (order.get(left.check) ?? 0) - (order.get(right.check) ?? 0) ||
        left.place.line - right.place.line ||
        left.place.column - right.place.column ||
        (left.id < right.id ? -1 : 1),
    );
}
