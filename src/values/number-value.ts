import { gridIndex, gridValue, type NumberGrid } from './number-grid.ts';
import { momentSeconds } from './moments.ts';
import type { Random } from './random.ts';

/**
 * What numbers of a name usually are: some of them, or a range with so many digits after the point.
 * The first that fits counts.
 */
const usual: readonly [
  RegExp,
  readonly number[] | { readonly from: number; readonly to: number; readonly digits?: number },
][] = [
  [
    /price|amount|cost|total|fee|balance|salary|revenue|subtotal|tax$/,
    { from: 5, to: 249, digits: 2 },
  ],
  [/^lat(itude)?$|lat(itude)?$/, { from: 38, to: 59, digits: 4 }],
  [/(lon|lng|long|longitude)$/, { from: -8, to: 23, digits: 4 }],
  [/percent|rate$|ratio|share|discount/, [5, 10, 25]],
  [/rating|score|stars/, [4, 5, 3]],
  [/quantity|qty|items|size$|limit/, [2, 3, 5]],
  [/count$|^num(berof)?|views|likes|followers|stargazers|forks|downloads/, { from: 1, to: 60 }],
  [/^age|age$/, { from: 19, to: 71 }],
  [/year/, [2024, 2023, 2022]],
  [/month/, { from: 1, to: 12 }],
  [/weekday|dayofweek/, { from: 1, to: 7 }],
  [/day/, { from: 1, to: 28 }],
  [/hour/, { from: 8, to: 18 }],
  [/minute|second/, [15, 30, 45]],
  [/duration|elapsed/, [30, 45, 90, 120]],
  [/port$/, [8080, 3000, 5432]],
  [/^page|offset/, [1, 2, 3]],
  [/(status|http)code|^status$/, [400, 404, 409]],
  [/temperature/, { from: 4, to: 28, digits: 1 }],
  [/weight|height|width|length|depth|distance/, [12.5, 20, 42, 7.5, 30, 64]],
  [/floor|level|room/, { from: 1, to: 9 }],
];

/** How far from its start a number wanders, in steps of its grid. */
const furthest = 9_998n;

/**
 * A number that a person would give to a field of this name, on the grid; a higher variation
 * wanders further off.
 */
export function numberValue(
  grid: NumberGrid,
  name: string,
  random: Random,
  variation: number,
): number | bigint | undefined {
  const usually = usualNumber(name, random);
  const isAllowed =
    usually >= Number(grid.low?.bound ?? -Infinity) &&
    usually <= Number(grid.high?.bound ?? Infinity);
  // What people usually write may lie outside of what is allowed here: then anything inside will
  // do.
  if (variation === 0 && isAllowed) return gridValue(grid, gridIndex(grid, usually));
  if (variation === 2) return gridValue(grid, grid.low?.index ?? grid.high?.index ?? 0n);
  const start = startOf(grid);
  const room =
    grid.high === undefined || grid.high.index - start > furthest
      ? furthest
      : grid.high.index - start;
  return gridValue(grid, start + BigInt(random.integer(0, Number(room))));
}

/**
 * The first positive number, where the range has one: nobody begins to count at the least int64.
 */
function startOf({ low, high }: NumberGrid): bigint {
  if ((low === undefined || low.index <= 1n) && (high === undefined || high.index > 1n)) return 1n;
  return low?.index ?? (high === undefined ? 1n : high.index - furthest);
}

function usualNumber(name: string, random: Random): number {
  const moment = momentSeconds(random, name);
  if (moment !== undefined) return moment;
  const found = usual.find(([pattern]) => pattern.test(name))?.[1];
  if (found === undefined) return random.integer(1, 100);
  if (!('from' in found)) return random.pick(found);
  const scale = 10 ** (found.digits ?? 0);
  return random.integer(found.from * scale, found.to * scale) / scale;
}
