import type { Finding } from '../finding.ts';
import type { SuspicionGroup } from './group.ts';

/** In how many exchanges a group was seen: one that shows it in several ways counts once. */
export function timesSeen({ suspicions }: SuspicionGroup): number {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.exchange)).size;
}

/** How a finding's evidence begins: `Seen once`, `Seen 12 times`. */
export function sayTimesSeen(count: number): string {
  return `Seen ${count === 1 ? 'once' : `${String(count)} times`}`;
}

/** The finding as seen so many times: the number is the same in `count` and in its evidence. */
export function withTimesSeen(finding: Finding, count: number): Finding {
  const before = sayTimesSeen(finding.count);
  const { evidence } = finding;
  return { ...finding, count, evidence: evidence.startsWith(before) ? sayTimesSeen(count) + evidence.slice(before.length) : evidence };
}
