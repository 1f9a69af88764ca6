import type { Latency } from '../model/knowledge.ts';

/** Adds durations up; undefined where there are none. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  const sorted = durations.toSorted((left, right) => left - right);
  const { length } = sorted;
  if (length === 0) return undefined;
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * length) - 1)] ?? 0;
  const p95 = length < 2 ? rank(1) : Math.min(rank(0.95), sorted[length - 2] ?? 0);
  return { count: length, p50: rank(0.5), p95, max: sorted[length - 1] ?? 0 };
}
