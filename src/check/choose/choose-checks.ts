import { answersWithin } from '../checks/answers-in-time.ts';
import type { Check, Violation } from '../checks/check.ts';
import { type CheckId, checks } from '../checks/index.ts';
import type { Severity } from '../model/finding.ts';

/** The checks of a run, and the severity of their findings. */
export interface CheckChoice {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  readonly slowMs?: number;
}

/** The checks of a run, with the severities and the time limit that the user set. */
export function chooseChecks(options: CheckChoice): Check[] {
  const { slowMs, severities = {} } = options;
  const slow = slowMs === undefined ? undefined : answersWithin(slowMs);
  return checks
    .filter(({ id }) => isWanted(id, options))
    .map((check) => {
      const timed = check.id === 'answers-in-time' && slow !== undefined ? slow : check;
      const severity = severities[check.id];
      return severity === undefined || severity === 'off' ? timed : setSeverity(timed, severity);
    });
}

function isWanted(id: CheckId, { only, skip, severities }: CheckChoice): boolean {
  if (skip?.includes(id) === true) return false;
  return only === undefined ? severities?.[id] !== 'off' : only.includes(id);
}

/**
 * The check with the severity that the user set for its errors and warnings. Its notes stay notes:
 * a gap in the contract is never an error.
 */
function setSeverity(check: Check, severity: Severity): Check {
  const set = (violation: Violation): Violation => {
    const own = violation.severity ?? check.severity;
    return {
      ...violation,
      severity: own === 'note' && check.severity !== 'note' ? 'note' : severity,
    };
  };
  return { ...check, severity, inspect: (subject) => check.inspect(subject)?.map(set) };
}
