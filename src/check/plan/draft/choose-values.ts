import type { Pointer } from '../../../json/pointer.ts';
import type { ValueClass } from '../../../values/labelled-value.ts';

interface Labelled {
  readonly valueClass: ValueClass;
  readonly at: Pointer;
}

/**
 * As many values as there is room for, in their order: one of each class in turn, the outermost places first, so that no class is
 * crowded out by another, nor a place by the one before it.
 */
export function chooseValues<Value extends Labelled>(values: readonly Value[], most: number): Value[] {
  if (values.length <= most) return [...values];
  const queues = [...Map.groupBy(values, ({ valueClass }) => valueClass).values()].map(byPlaceInTurn);
  const chosen = new Set<Value>();
  for (let turn = 0; chosen.size < most; turn += 1) {
    for (const queue of queues) {
      const next = queue[turn];
      if (next !== undefined && chosen.size < most) chosen.add(next);
    }
  }
  return values.filter((value) => chosen.has(value));
}

/** The first of each place, then the second of each, and so on. */
function byPlaceInTurn<Value extends Labelled>(values: readonly Value[]): Value[] {
  const places = [...Map.groupBy(values, ({ at }) => at).values()];
  const longest = Math.max(0, ...places.map((place) => place.length));
  return Array.from({ length: longest }, (_item, turn) => places.flatMap((place) => place[turn] ?? [])).flat();
}
