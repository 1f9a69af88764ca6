import type { Check, Violation } from './checks/check.ts';
import type { Severity } from './model/finding.ts';

/**
 * The check with what it finds made as bad as the user has it. What it only notes beside its rule
 * stays a note: to take a gap of the contract for an error would be no setting but a mistake.
 */
export function setSeverity(check: Check, severity: Severity): Check {
  const set = (violation: Violation): Violation => {
    const own = violation.severity ?? check.severity;
    return {
      ...violation,
      severity: own === 'note' && check.severity !== 'note' ? 'note' : severity,
    };
  };
  return { ...check, severity, inspect: (subject) => check.inspect(subject)?.map(set) };
}
