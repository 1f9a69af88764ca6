/** A measured quantity over several rounds. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** The median with the extremes. Throws where there is nothing to take it of. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [lowest, highest, upper] = [sorted[0], sorted.at(-1), sorted[middle]];
  if (lowest === undefined || highest === undefined || upper === undefined)
    throw new Error('There is no median of nothing.');
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
  return { median, lowest, highest };
}

/**
 * Each value divided by its neighbour of the same round: rounds stand close together in time, so
 * that noise hits both alike.
 */
export function ratiosOf(values: readonly number[], against: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (against[round] ?? Number.NaN)));
}

/** `0.71 (0.68 to 0.74)`. */
export function writeSpread({ median, lowest, highest }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${lowest.toFixed(digits)} to ${highest.toFixed(digits)})`;
}
