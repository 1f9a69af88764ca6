import type { Confirmed } from '../run/confirm-all.ts';
import { requestKey } from './request-key.ts';

/**
 * One cause, one finding: where the shortest requests of several findings of one check came to be the same, what each of them
 * tried besides is not to blame. The one that tried the least to begin with speaks for all.
 */
export function joinSame(confirmed: readonly Confirmed[], runId: string): Confirmed[] {
  const byRequest = Map.groupBy(confirmed, (one) => keyOf(one, runId));
  const spoken = new Map<Confirmed, Confirmed>();
  for (const alike of byRequest.values()) {
    const [first, ...rest] = alike.toSorted((left, right) => size(left) - size(right));
    if (first === undefined) continue;
    const [leader, ...others] = first.group.suspicions;
    spoken.set(first, rest.length === 0 ? first : { ...first, group: { ...first.group, suspicions: [leader, ...others, ...rest.flatMap(({ group }) => group.suspicions)] } });
  }
  return confirmed.flatMap((one) => spoken.get(one) ?? []);
}

function keyOf(one: Confirmed, runId: string): string | Confirmed {
  const { group: { suspicions: [{ check }] }, assurance } = one;
  const { severity, repeated, sequence, steps } = assurance;
  // What was not shown again, or only noted, was not made shorter either.
  if (!repeated || severity === undefined || severity === 'note') return one;
  return [check.id, severity, steps.at(-1)?.exchange.response?.status ?? 'nothing', requestKey(sequence, runId)].join(' ');
}

function size({ group: { suspicions: [{ sequence }] } }: Confirmed): number {
  return requestKey(sequence).length;
}
