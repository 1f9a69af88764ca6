import type { TargetDifference } from '../check/model/event.ts';
import type { DifferenceKind, RunInfo } from '../check/model/event.ts';

const kindWords: Readonly<Record<DifferenceKind, string>> = {
  answer: 'whether it answers',
  status: 'status',
  'media-type': 'media type',
  header: 'header',
  shape: 'shape',
  value: 'values',
  gap: 'what the contract leaves open',
};

/** The heading over the differences of a run: `Differences from URL (here | there)`. */
export function differenceTitle(run: RunInfo | undefined): string {
  return `Differences from ${run?.against ?? 'the other deployment'} (here | there)`;
}

/** In what two deployments differ, and where in the answer: `shape at /items/0/price`. */
export function differencePlace({ kind, at }: Pick<TargetDifference, 'kind' | 'at'>): string {
  const name = kindWords[kind];
  return at === '' ? name : kind === 'header' ? `${name} ${at}` : `${name} at ${at}`;
}
