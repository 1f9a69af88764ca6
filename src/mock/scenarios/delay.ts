import type { JsonValue } from '../../json/value.ts';
import type { Random } from '../../values/random.ts';

/** A time to wait, in milliseconds: always the same, or drawn anew for each answer. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  /** Any time between the two, each as likely as the other. */
  | { readonly kind: 'uniform'; readonly from: number; readonly to: number }
  /** Around a mean (normal distribution): two of three are within one deviation. */
  | { readonly kind: 'normal'; readonly mean: number; readonly deviation: number }
  /**
   * As slow services are: half are faster than `p50`, and few are much slower (log-normal
   * distribution).
   */
  | { readonly kind: 'percentiles'; readonly points: readonly PercentilePoint[] };

/** So many milliseconds at so many standard deviations from the median. */
export interface PercentilePoint {
  readonly z: number;
  readonly ms: number;
}

/** How many standard deviations a percentile lies above the median of a normal distribution. */
export const percentiles: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', number>> = {
  p50: 0,
  p90: 1.2815515655446004,
  p95: 1.6448536269514722,
  p99: 2.3263478740408408,
};

/** No wait at all. */
export const noDelay: Delay = { kind: 'fixed', ms: 0 };

/**
 * Draws a time in whole milliseconds, from 0 to ten minutes. The same random numbers give the same
 * time.
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
  // The generator gives 0, of which there is no logarithm, but never 1.
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/**
 * Between two percentiles the logarithm of the time is a straight line; beyond them the nearest
 * line goes on.
 */
function atPercentile(points: readonly PercentilePoint[], z: number): number {
  const next = points.findIndex((point) => point.z >= z);
  const upper = next === -1 ? points.length - 1 : Math.max(1, next);
  const [left, right] = [points[upper - 1], points[upper]];
  if (left === undefined || right === undefined) return points[0]?.ms ?? 0;
  const [low, high] = [Math.log(left.ms), Math.log(right.ms)];
  return Math.exp(low + ((high - low) * (z - left.z)) / (right.z - left.z));
}

/** The longest that an answer can be held back: ten minutes. */
export const longestDelayMs = 600_000;

/**
 * Reads a delay as people write it: `200ms`, `2s`, `1.5s`, or a number of milliseconds. Undefined
 * where it is none, or too long.
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
