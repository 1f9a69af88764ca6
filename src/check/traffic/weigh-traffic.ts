import type { SuspicionGroup } from '../judge/group.ts';
import { severityOf } from '../judge/judge.ts';
import type { Confirmation } from '../run/confirm.ts';

/**
 * What recorded traffic alone can show: nothing can be sent again, so what needs a control request
 * is a warning at most.
 */
export function weighTraffic({ suspicions }: SuspicionGroup): Confirmation {
  const [first] = suspicions;
  const severity = severityOf(first);
  const { proof } = first.check;
  const sure = proof === 'once' || (proof === 'repeat' && suspicions.length > 1);
  return {
    severity: sure || severity === 'note' ? severity : 'warning',
    violation: first.violation,
    sequence: { ...first.sequence, cases: first.sequence.cases.slice(0, first.steps.length) },
    steps: first.steps,
    repeated: false,
    evidence: ` in the recorded traffic; ${sure ? 'the answer itself breaks the rule' : 'nothing was sent to make sure of it'}.`,
  };
}
