import { gridIndex, gridValue, type NumberGrid } from './number-grid.ts';
import type { Random } from './random.ts';

/** What numbers of a name usually are; the first that fits the normalised name counts. */
const usual: readonly [RegExp, readonly number[]][] = [
  [/price|amount|cost|total|fee|balance|salary|revenue/, [19.99, 24.5, 49.95]],
  [/lat(itude)?$/, [52.52, 48.86, 40.71]],
  [/(lon|lng|long|longitude)$/, [13.41, 2.35, -74.01]],
  [/percent|rate$|ratio|share|discount/, [5, 10, 25]],
  [/rating|score|stars/, [4, 5, 3]],
  [/quantity|qty|count$|items|size$|limit/, [2, 3, 5]],
  [/^age|age$/, [29, 34, 41]],
  [/year/, [2024, 2023, 2022]],
  [/month/, [3, 6, 11]],
  [/day/, [12, 17, 24]],
  [/hour/, [9, 14, 18]],
  [/minute|second/, [15, 30, 45]],
  [/port$/, [8080, 3000, 5432]],
  [/^page|offset/, [1, 2, 3]],
  [/(status|http)code|^status$/, [400, 404, 409]],
  [/weight|height|width|length|depth|distance/, [12.5, 20, 42]],
  [/timestamp|epoch/, [1710495000, 1718000000, 1725000000]],
];

/** How far from its start a number wanders, in steps of its grid. */
const furthest = 9_998n;

/** A number that a person would give to a field of this name, on the grid; a higher variation wanders further off. */
export function numberValue(grid: NumberGrid, name: string, random: Random, variation: number): number | bigint | undefined {
  if (variation === 0) return gridValue(grid, gridIndex(grid, usualNumber(name, random)));
  if (variation === 2) return gridValue(grid, grid.low?.index ?? grid.high?.index ?? 0n);
  const start = startOf(grid);
  const room = grid.high === undefined || grid.high.index - start > furthest ? furthest : grid.high.index - start;
  return gridValue(grid, start + BigInt(random.integer(0, Number(room))));
}

/** The first positive number, where the range has one: nobody begins to count at the least int64. */
function startOf({ low, high }: NumberGrid): bigint {
  if ((low === undefined || low.index <= 1n) && (high === undefined || high.index > 1n)) return 1n;
  return low?.index ?? (high === undefined ? 1n : high.index - furthest);
}

function usualNumber(name: string, random: Random): number {
  const found = usual.find(([pattern]) => pattern.test(name));
  return found === undefined ? random.integer(1, 100) : random.pick(found[1]);
}
