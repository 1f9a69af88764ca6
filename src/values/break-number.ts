import type { JsonValue } from '../json/value.ts';
import type { Site } from './build-value.ts';
import { fromDecimal } from '../json/decimal.ts';
import { describeValue } from './describe-value.ts';
import { present, type Mutation } from './mutation.ts';
import { gridIndex, gridOf, gridValue, type GridEnd, type NumberGrid } from './number-grid.ts';
import type { View } from './view.ts';

/**
 * A number just outside each bound, on an exclusive bound, beyond its format, and between two
 * multiples.
 */
export function breakNumber({ view, value }: Site): Mutation[] {
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const grid = gridOf(view, view.types.includes('number') ? 'number' : 'integer');
  if (grid === undefined) return [];
  return [
    ...present([grid.low, grid.high]).flatMap((end) => beyond(grid, end)),
    ...betweenMultiples(grid, { view, value }),
  ];
}

function beyond(grid: NumberGrid, end: GridEnd): Mutation[] {
  const isLow = end === grid.low;
  const outside = gridValue(grid, end.index + (isLow ? -1n : 1n));
  const shared = { keywords: [end.keyword], pointer: end.pointer };
  if (end.keyword === 'format') {
    return [
      {
        ...shared,
        valueClass: 'integer-overflow',
        candidates: present([outside]),
        says: (value) => `is ${describeValue(value)}, beyond its format`,
      },
    ];
  }
  const isExclusive = end.keyword.startsWith('exclusive');
  const side = `${isExclusive ? 'exclusive ' : ''}${isLow ? 'minimum' : 'maximum'}`;
  const bound = describeValue(end.bound);
  const further = isExclusive ? gridValue(grid, end.index + (isLow ? -2n : 2n)) : outside;
  const past: Mutation = {
    ...shared,
    valueClass: isLow ? 'below-minimum' : 'above-maximum',
    candidates: present([further]),
    says: (value) =>
      `is ${describeValue(value)}, ${isLow ? 'below' : 'above'} the ${side} of ${bound}`,
  };
  const on: Mutation = {
    ...shared,
    valueClass: 'on-exclusive-bound',
    candidates: [end.bound],
    says: () => `is ${bound}, the ${side} itself`,
  };
  return isExclusive ? [on, past] : [past];
}

function betweenMultiples(
  grid: NumberGrid,
  { view, value }: { readonly view: View; readonly value: number | bigint },
): Mutation[] {
  const { multiple } = grid;
  if (multiple === undefined) return [];
  const indexes = present([
    gridIndex(grid, Number(value)),
    grid.low?.index,
    grid.high === undefined ? undefined : grid.high.index - 1n,
  ]);
  // Between integers there may be another integer; between hundredths only a finer fraction.
  const finer = view.types.includes('number') ? 1 : 0;
  const nudge = 10n ** BigInt(finer === 0 ? grid.digits : 0);
  const between = (index: bigint): JsonValue | undefined =>
    fromDecimal({
      units: index * grid.step * 10n ** BigInt(finer) + nudge,
      digits: grid.digits + finer,
    });
  return [
    {
      valueClass: 'not-a-multiple',
      candidates: present(indexes.map(between)),
      keywords: ['multipleOf'],
      says: (candidate) =>
        `is ${describeValue(candidate)}, not a multiple of ${describeValue(multiple.value)}`,
      pointer: multiple.pointer,
    },
  ];
}
