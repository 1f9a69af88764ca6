import type { JsonValue } from '../../json/value.ts';
import type { Random } from '../../values/random.ts';

/** A delay in milliseconds: fixed, or drawn for each response. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  /** Uniform distribution between two limits. */
  | { readonly kind: 'uniform'; readonly from: number; readonly to: number }
  /** Normal distribution: two of three delays are within one deviation of the mean. */
  | { readonly kind: 'normal'; readonly mean: number; readonly deviation: number }
  /**
   * Log-normal distribution, as of slow services: half are faster than `p50`, and few are much
   * slower.
   */
  | { readonly kind: 'percentiles'; readonly points: readonly PercentilePoint[] };

/** A delay at a number of standard deviations from the median. */
export interface PercentilePoint {
  readonly z: number;
  readonly ms: number;
}

/**
 * The distance of a percentile from the median of a normal distribution, in standard deviations.
 */
export const percentiles: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', number>> = {
  p50: 0,
  p90: 1.2815515655446004,
  p95: 1.6448536269514722,
  p99: 2.3263478740408408,
};

/** No delay. */
export const noDelay: Delay = { kind: 'fixed', ms: 0 };

/**
 * Draws a delay in whole milliseconds, from 0 to ten minutes. Deterministic for the random numbers.
 */
export function drawDelay(delay: Delay, random: () => Random): number {
  if (delay.kind === 'fixed') return delay.ms;
  return Math.round(Math.min(longestDelayMs, Math.max(0, draw(delay, random()))));
}

function draw(delay: Exclude<Delay, { kind: 'fixed' }>, random: Random): number {
  if (delay.kind === 'uniform') return delay.from + random.next() * (delay.to - delay.from);
  const z = drawNormal(random);
  return delay.kind === 'normal' ? delay.mean + z * delay.deviation : atPercentile(delay.points, z);
}

/** A number of the standard normal distribution (Box and Muller). */
function drawNormal(random: Random): number {
  // The generator can return 0, which has no logarithm, but not 1.
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/**
 * Interpolates the logarithm of the delay linearly between two percentiles, and extrapolates beyond
 * them.
 */
function atPercentile(points: readonly PercentilePoint[], z: number): number {
  const next = points.findIndex((point) => point.z >= z);
  const upper = next === -1 ? points.length - 1 : Math.max(1, next);
  const [left, right] = [points[upper - 1], points[upper]];
  if (left === undefined || right === undefined) return points[0]?.ms ?? 0;
  const [low, high] = [Math.log(left.ms), Math.log(right.ms)];
  return Math.exp(low + ((high - low) * (z - left.z)) / (right.z - left.z));
}

/** The maximum delay: ten minutes. */
export const longestDelayMs = 600_000;

/**
 * Parses a delay: `200ms`, `2s`, `1.5s`, or a number of milliseconds. Undefined if it is invalid or
 * too long.
 */
export function parseDelay(value: JsonValue): number | undefined {
  const milliseconds =
    typeof value === 'number' ? value : typeof value === 'string' ? fromText(value) : undefined;
  if (milliseconds === undefined || !(milliseconds >= 0) || milliseconds > longestDelayMs)
    return undefined;
  return Math.round(milliseconds);
}

function fromText(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}
