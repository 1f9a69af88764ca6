import { atLeast } from '../at-least.ts';
import { answersWithin } from '../checks/answers-in-time.ts';
import type { Check } from '../checks/check.ts';
import { checks, type CheckId } from '../checks/index.ts';
import { setSeverity } from '../set-severity.ts';
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
  const slow = slowMs === undefined ? undefined : answersWithin(atLeast('slowMs', slowMs, 1));
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
