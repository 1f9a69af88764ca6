/** How severe a finding is, the worst first: an error fails a run, a warning or a note does not. */
export const severities = ['error', 'warning', 'note'] as const;

export type Severity = (typeof severities)[number];

export function isAtLeast(severity: Severity, bound: Severity): boolean {
  return compareSeverities(severity, bound) <= 0;
}

/** For sorting: the worst first. */
export function compareSeverities(left: Severity, right: Severity): number {
  return severities.indexOf(left) - severities.indexOf(right);
}
