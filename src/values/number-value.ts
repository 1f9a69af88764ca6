import {
  ceilDivide,
  commonMultiple,
  floorDivide,
  fromDecimal,
  toDecimal,
  unitsAt,
} from '../json/decimal.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonType } from '../json/json-type.ts';
import { localityOf, pointIn } from './localities.ts';
import { momentSeconds } from './people-and-dates.ts';
import type { Random } from './random.ts';
import { greatest, least, type Placed, placedNumbers, placedTexts, type View } from './view.ts';

/** A range with a number of decimal places. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly digits?: number;
}

/**
 * Usual numbers by name: a list, a range, or a number of the place where the record is. The first
 * match applies.
 */
const usual: readonly [
  RegExp,
  readonly number[] | Range | ((where: Random, random: Random) => number),
][] = [
  [
    /price|amount|cost|total|fee|balance|salary|revenue|subtotal|tax$/,
    { from: 5, to: 249, digits: 2 },
  ],
  [/lat(itude)?$/, (where, random) => pointIn(localityOf(where).latitude, random)],
  [/(lon|lng|long|longitude)$/, (where, random) => pointIn(localityOf(where).longitude, random)],
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

/** The maximum distance from the start, in steps of the grid. */
const furthest = 9_998n;

export interface NumberSource {
  /** The normalised name of the field. */
  readonly name: string;
  readonly random: Random;
  /** Where the record is: shared with its other fields. */
  readonly where: Random;
}

/** A plausible number for a field, on the grid; a higher variation is further away. */
export function numberValue(
  grid: NumberGrid,
  source: NumberSource,
  variation: number,
): number | bigint | undefined {
  const { random } = source;
  const usually = usualNumber(source);
  const isAllowed =
    usually >= Number(grid.low?.bound ?? -Infinity) &&
    usually <= Number(grid.high?.bound ?? Infinity);
  // The usual numbers may be outside the allowed range; then any allowed number is used.
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
 * The first positive number, if the range has one; the minimum of int64 is not a plausible start.
 */
function startOf({ low, high }: NumberGrid): bigint {
  if ((low === undefined || low.index <= 1n) && (high === undefined || high.index > 1n)) return 1n;
  return low?.index ?? (high === undefined ? 1n : high.index - furthest);
}

function usualNumber({ name, random, where }: NumberSource): number {
  const moment = momentSeconds(random, name);
  if (moment !== undefined) return moment;
  const found = usual.find(([pattern]) => pattern.test(name))?.[1];
  if (found === undefined) return random.integer(1, 100);
  if (typeof found === 'function') return found(where, random);
  if (!('from' in found)) return random.pick(found);
  const scale = 10 ** (found.digits ?? 0);
  return random.integer(found.from * scale, found.to * scale) / scale;
}

/** An end of a range. `index` is the last number of the grid within it. */
export interface GridEnd {
  readonly index: bigint;
  readonly bound: number | bigint;
  readonly keyword: 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum' | 'format';
  readonly pointer: Pointer;
}

/**
 * The numbers that a schema allows, as a grid of points: `index` × `step` × 10^-`digits`. All
 * arithmetic is exact, so that 0.1 + 0.2 and the limits of int64 need no special cases.
 */
export interface NumberGrid {
  readonly step: bigint;
  readonly digits: number;
  readonly low: GridEnd | undefined;
  readonly high: GridEnd | undefined;
  /** The `multipleOf` of the grid, if there is one. */
  readonly multiple: Placed<number | bigint> | undefined;
}

/** The bounds of the integer formats (OpenAPI format registry), inclusive. */
const integerFormats: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int8: [-(2n ** 7n), 2n ** 7n - 1n],
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 2n ** 8n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** The numbers of one type that a view allows; undefined if its bounds exclude all. */
export function gridOf(view: View, type: JsonType): NumberGrid | undefined {
  const isFree = type !== 'integer' && placedNumbers(view, 'multipleOf').length === 0;
  // Between two bounds that are next to each other there is only a finer number.
  return makeGrid(view, type, 0) ?? (isFree ? makeGrid(view, type, 1) : undefined);
}

function makeGrid(view: View, type: JsonType, finer: number): NumberGrid | undefined {
  const multiples = placedNumbers(view, 'multipleOf').filter(({ value }) => value > 0);
  const bounds = boundsOf(view);
  const digits = Math.max(
    type === 'integer' || multiples.length > 0 ? 0 : finestDigits(bounds) + finer,
    ...multiples.map(({ value }) => toDecimal(value).digits),
  );
  const steps = multiples.map(({ value }) => unitsAt(toDecimal(value), digits));
  const whole = type === 'integer' ? [10n ** BigInt(digits)] : [];
  const step = [...steps, ...whole].reduce(commonMultiple, 1n);
  const endsOn = (side: Bound['side']): GridEnd[] =>
    bounds.filter((bound) => bound.side === side).map((bound) => toEnd(bound, step, digits));
  const low = endsOn('low').toSorted((left, right) => (left.index > right.index ? -1 : 1))[0];
  const high = endsOn('high').toSorted((left, right) => (left.index < right.index ? -1 : 1))[0];
  if (low !== undefined && high !== undefined && low.index > high.index) return undefined;
  return { step, digits, low, high, multiple: multiples[0] };
}

/** The number at an index of the grid; undefined if no double is equal. */
export function gridValue(grid: NumberGrid, index: bigint): number | bigint | undefined {
  return fromDecimal({ units: index * grid.step, digits: grid.digits });
}

/** The greatest index of a number at or below the given one, within the ends of the grid. */
export function gridIndex(grid: NumberGrid, value: number): bigint {
  const decimal = toDecimal(value);
  const digits = Math.max(decimal.digits, grid.digits);
  const index = floorDivide(
    unitsAt(decimal, digits),
    grid.step * 10n ** BigInt(digits - grid.digits),
  );
  if (grid.low !== undefined && index < grid.low.index) return grid.low.index;
  if (grid.high !== undefined && index > grid.high.index) return grid.high.index;
  return index;
}

interface Bound {
  readonly value: number | bigint;
  readonly keyword: GridEnd['keyword'];
  readonly pointer: Pointer;
  readonly side: 'low' | 'high';
}

function boundsOf(view: View): Bound[] {
  const keywords = [
    ['minimum', 'low', greatest],
    ['exclusiveMinimum', 'low', greatest],
    ['maximum', 'high', least],
    ['exclusiveMaximum', 'high', least],
  ] as const;
  const named = keywords.flatMap(([keyword, side, strongest]): Bound[] => {
    const found = strongest(view, keyword);
    return found === undefined ? [] : [{ ...found, keyword, side }];
  });
  return [...named, ...placedTexts(view, 'format').flatMap(formatBounds)];
}

function formatBounds({ value, pointer }: Placed<string>): Bound[] {
  const range = Object.hasOwn(integerFormats, value) ? integerFormats[value] : undefined;
  if (range === undefined) return [];
  return [
    { value: range[0], keyword: 'format', pointer, side: 'low' },
    { value: range[1], keyword: 'format', pointer, side: 'high' },
  ];
}

/** Without `multipleOf`, the step is a hundredth, or that of the finest bound. */
function finestDigits(bounds: readonly Bound[]): number {
  return Math.max(2, ...bounds.map(({ value }) => toDecimal(value).digits));
}

function toEnd({ value, keyword, pointer, side }: Bound, step: bigint, digits: number): GridEnd {
  const decimal = toDecimal(value);
  const finest = Math.max(decimal.digits, digits);
  const units = unitsAt(decimal, finest);
  const size = step * 10n ** BigInt(finest - digits);
  const exclusive = keyword.startsWith('exclusive') && units % size === 0n ? 1n : 0n;
  const index =
    side === 'low' ? ceilDivide(units, size) + exclusive : floorDivide(units, size) - exclusive;
  return { index, bound: value, keyword, pointer };
}
