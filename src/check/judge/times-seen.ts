import type { SuspicionGroup } from './group.ts';

/** In how many exchanges a group was seen: one that shows it in several ways counts once. */
export function timesSeen({ suspicions }: SuspicionGroup): number {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.exchange)).size;
}
