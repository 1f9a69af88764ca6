import { type JudgeContext, showsAgain } from '../judge/judge.ts';
import type { ConfirmedGroup } from '../run/confirm.ts';
import { requestKey } from './request-key.ts';

/** What tells whether two findings are one: the checks, and the mark of the run in its texts. */
export interface Comparing {
  readonly judgeContext: JudgeContext;
  readonly runId: string;
}

/**
 * One cause, one finding: where the shortest requests of several findings of one check came to be
 * the same, what each of them tried besides is not to blame. The one that tried the least to begin
 * with speaks for all. Faults that one answer has side by side are findings of their own.
 */
export function joinSame(
  confirmed: readonly ConfirmedGroup[],
  comparing: Comparing,
): ConfirmedGroup[] {
  const byRequest = Map.groupBy(confirmed, (one) => keyOf(one, comparing.runId));
  const spoken = new Map<ConfirmedGroup, ConfirmedGroup>();
  for (const alike of byRequest.values()) {
    const [first, ...rest] = alike.toSorted((left, right) => size(left) - size(right));
    if (first === undefined) continue;
    const beside = rest.filter((one) => isBeside(first, one, comparing.judgeContext));
    for (const one of beside) spoken.set(one, one);
    spoken.set(
      first,
      speakFor(
        first,
        rest.filter((one) => !beside.includes(one)),
      ),
    );
  }
  return confirmed.flatMap((one) => spoken.get(one) ?? []);
}

/**
 * Whether the answer that shows the one shows the other too: then neither is the other in other
 * words.
 */
function isBeside(
  { confirmation: { steps, sequence } }: ConfirmedGroup,
  { group, confirmation: { violation } }: ConfirmedGroup,
  judgeContext: JudgeContext,
): boolean {
  return (
    showsAgain({ check: group.suspicions[0].check, violation, sequence }, steps, judgeContext) !==
    undefined
  );
}

function speakFor(leader: ConfirmedGroup, others: readonly ConfirmedGroup[]): ConfirmedGroup {
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
  // What was not shown again, or only noted, was not made shorter either.
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
