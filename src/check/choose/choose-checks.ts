import { requireMinimum } from '../require-minimum.ts';
import { answersWithin } from '../checks/answers-in-time.ts';
import type { Check, Violation } from '../checks/check.ts';
import { type CheckId, checks } from '../checks/index.ts';
import type { Severity } from '../model/finding.ts';

/** Which checks a run holds, and how severe their findings are. */
export interface CheckChoice {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  readonly slowMs?: number;
}

/** The checks that a run holds, with the severities and the patience that it is told. */
export function chooseChecks(options: CheckChoice): Check[] {
  const { slowMs, severities = {} } = options;
  const slow =
    slowMs === undefined ? undefined : answersWithin(requireMinimum('slowMs', slowMs, 1));
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
 * The check with what it finds made as bad as the user has it. What it only notes beside its rule
 * stays a note: to take a gap of the contract for an error would be no setting but a mistake.
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
