import type { Bar } from './picture.ts';

/** How values become lengths: `length` pixels for the highest of them. */
export interface Scale {
  readonly kind: 'linear' | 'logarithmic';
  readonly lowest: number;
  readonly highest: number;
  readonly length: number;
}

/**
 * The length of a bar in pixels. On a logarithmic scale the lowest value still has a length, a
 * twelfth of the longest.
 */
export function barLength(value: number, { kind, lowest, highest, length }: Scale): number {
  if (highest <= 0 || value <= 0) return 0;
  if (kind === 'linear') return (value / highest) * length;
  if (highest === lowest) return length;
  const share = Math.log(value / lowest) / Math.log(highest / lowest);
  return length / 12 + Math.min(1, Math.max(0, share)) * length * (11 / 12);
}

/** The highest value of some bars, their spreads included; 0 where none has a value. */
export function highestOf(bars: readonly Bar[]): number {
  return Math.max(0, ...bars.flatMap(({ value, spread }) => [value ?? 0, spread?.highest ?? 0]));
}

/** The lowest value above 0 of some bars, their spreads included; 0 where none has a value. */
export function lowestOf(bars: readonly Bar[]): number {
  const above = bars
    .flatMap(({ value, spread }) => [value ?? 0, spread?.lowest ?? 0])
    .filter((value) => value > 0);
  return above.length === 0 ? 0 : Math.min(...above);
}
