import { type JudgeContext, showsAgain } from '../judge/judge.ts';
import type { ConfirmedGroup } from '../run/confirm.ts';
import { requestKey } from './shrink.ts';

/** What findings are compared with: the checks, and the mark of the run in its texts. */
export interface Comparing {
  readonly judgeContext: JudgeContext;
  readonly runId: string;
}

/**
 * Joins findings of one check whose shrunk requests are the same: what else each of them tested is
 * not the cause. The one with the smallest original request stands for all. Separate faults of one
 * response stay separate findings.
 */
export function joinSame(
  confirmed: readonly ConfirmedGroup[],
  comparing: Comparing,
): ConfirmedGroup[] {
  const byRequest = Map.groupBy(confirmed, (one) => keyOf(one, comparing.runId));
  const joined = new Map<ConfirmedGroup, ConfirmedGroup>();
  for (const alike of byRequest.values()) {
    const [first, ...rest] = alike.toSorted((left, right) => size(left) - size(right));
    if (first === undefined) continue;
    const separate = rest.filter((one) => isSeparate(first, one, comparing.judgeContext));
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
  { confirmation: { steps, sequence } }: ConfirmedGroup,
  { group, confirmation: { violation } }: ConfirmedGroup,
  judgeContext: JudgeContext,
): boolean {
  return (
    showsAgain({ check: group.suspicions[0].check, violation, sequence }, steps, judgeContext) !==
    undefined
  );
}

function standFor(leader: ConfirmedGroup, others: readonly ConfirmedGroup[]): ConfirmedGroup {
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

function keyOf(one: ConfirmedGroup, runId: string): string | ConfirmedGroup {
  const {
    group: {
      suspicions: [{ check }],
    },
    confirmation,
  } = one;
  const { severity, repeated, sequence, steps } = confirmation;
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
}: ConfirmedGroup): number {
  return requestKey(sequence).length;
}
