import type { Court } from '../judge/judge.ts';
import type { Confirmed } from '../run/confirm-all.ts';
import { showsAgain } from '../run/shows.ts';
import { requestKey } from './shrink.ts';

/** What findings are compared with: the checks, and the mark of the run in its texts. */
export interface Comparing {
  readonly court: Court;
  readonly runId: string;
}

/**
 * Joins findings of one check whose shrunk requests are the same: what else each of them tested is
 * not the cause. The one with the smallest original request stands for all. Separate faults of one
 * response stay separate findings.
 */
export function joinSame(confirmed: readonly Confirmed[], comparing: Comparing): Confirmed[] {
  const byRequest = Map.groupBy(confirmed, (one) => keyOf(one, comparing.runId));
  const joined = new Map<Confirmed, Confirmed>();
  for (const alike of byRequest.values()) {
    const [first, ...rest] = alike.toSorted((left, right) => size(left) - size(right));
    if (first === undefined) continue;
    const separate = rest.filter((one) => isSeparate(first, one, comparing.court));
    for (const one of separate) joined.set(one, one);
    joined.set(
      first,
      standFor(
        first,
        rest.filter((one) => !separate.includes(one)),
      ),
    );
  }
  return confirmed.flatMap((one) => joined.get(one) ?? []);
}

/** Whether the response that shows one finding shows the other too: then they are separate. */
function isSeparate(
  { assurance: { steps, sequence } }: Confirmed,
  { group, assurance: { violation } }: Confirmed,
  court: Court,
): boolean {
  return (
    showsAgain({ check: group.suspicions[0].check, violation, sequence }, steps, court) !==
    undefined
  );
}

function standFor(leader: Confirmed, others: readonly Confirmed[]): Confirmed {
  if (others.length === 0) return leader;
  const [own, ...rest] = leader.group.suspicions;
  return {
    ...leader,
    group: {
      ...leader.group,
      suspicions: [own, ...rest, ...others.flatMap(({ group }) => group.suspicions)],
    },
  };
}

function keyOf(one: Confirmed, runId: string): string | Confirmed {
  const {
    group: {
      suspicions: [{ check }],
    },
    assurance,
  } = one;
  const { severity, repeated, sequence, steps } = assurance;
  // Only findings that were reproduced, and are more than notes, have been shrunk.
  if (!repeated || severity === undefined || severity === 'note') return one;
  return [
    check.id,
    severity,
    steps.at(-1)?.exchange.response?.status ?? 'nothing',
    requestKey(sequence, runId),
  ].join(' ');
}

function size({
  group: {
    suspicions: [{ sequence }],
  },
}: Confirmed): number {
  return requestKey(sequence).length;
}
