import { hasTrait } from '../../topics/index.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Suspicion } from '../judge/judge.ts';
import type { ConfirmedGroup } from './confirm.ts';

/**
 * That one request was answered so is not an error in one finding and a note in another: the groups
 * without the notes about the status of exchanges that an error is about.
 */
export function withoutMildTwins(confirmed: readonly ConfirmedGroup[]): ConfirmedGroup[] {
  const grave = new Set(
    confirmed
      .filter(({ confirmation: { severity } }) => severity === 'error')
      .flatMap(({ group }) => group.suspicions.map(exchangeOf)),
  );
  return confirmed.flatMap((one): ConfirmedGroup[] => {
    const { group, confirmation } = one;
    if (confirmation.severity !== 'note' || !isAboutStatus(group.suspicions[0])) return [one];
    const [first, ...rest] = group.suspicions.filter((each) => !grave.has(exchangeOf(each)));
    if (first === undefined) return [];
    if (first === group.suspicions[0] && rest.length + 1 === group.suspicions.length) return [one];
    // What is shown is the simplest of those that are left.
    const { violation, steps, sequence } = first;
    const isWhole = group.violation !== group.suspicions[0].violation;
    return [
      {
        group: {
          ...group,
          suspicions: [first, ...rest],
          violation: isWhole ? group.violation : violation,
        },
        confirmation: {
          ...confirmation,
          violation,
          steps,
          sequence: { ...sequence, cases: sequence.cases.slice(0, steps.length) },
        },
      },
    ];
  });
}

/** What a body or a header lacks is another matter than the error. */
function isAboutStatus({ check: { id } }: Suspicion): boolean {
  return hasTrait(id, 'undocumented') || hasTrait(id, 'statuses');
}

function exchangeOf({ steps }: Suspicion): Exchange | undefined {
  return steps.at(-1)?.exchange;
}
