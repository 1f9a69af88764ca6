import type { Pointer } from '../../../json/pointer.ts';
import type { ValueClass } from '../../../values/labelled-value.ts';

interface Labelled {
  readonly valueClass: ValueClass;
  readonly at: Pointer;
}

/** Makes of a value what is sent; undefined where that would not show what the value is for. */
export type Fit<Value, Fitted> = (value: Value) => Fitted | undefined;

/**
 * As many of the values that fit as there is room for, in their order: one of each class in turn,
 * the outermost places first, so that no class is crowded out by another, nor a place by the one
 * before it. A large body has thousands of values: none is fitted before its turn.
 */
export function chooseValues<Value extends Labelled, Fitted>(
  values: readonly Value[],
  most: number,
  fit: Fit<Value, Fitted>,
): Fitted[] {
  const queues = [...Map.groupBy(values, ({ valueClass }) => valueClass).values()].map((group) =>
    byPlaceInTurn(group, fit),
  );
  const firsts = queues.flatMap((queue) => {
    const { value } = queue.next();
    return value === undefined ? [] : [{ queue, value, index: values.indexOf(value[0]) }];
  });
  const chosen = new Map<Value, Fitted>();
  let turns = firsts.sort((left, right) => left.index - right.index);
  while (turns.length > 0 && chosen.size < most) {
    for (const {
      value: [value, fitted],
    } of turns)
      if (chosen.size < most) chosen.set(value, fitted);
    turns = turns.flatMap((turn) => {
      const { value } = chosen.size < most ? turn.queue.next() : { value: undefined };
      return value === undefined ? [] : [{ ...turn, value }];
    });
  }
  return values.flatMap((value) => chosen.get(value) ?? []);
}

/** Those that fit: the first of each place, then the second of each, and so on. */
function* byPlaceInTurn<Value extends Labelled, Fitted>(
  values: readonly Value[],
  fit: Fit<Value, Fitted>,
): Generator<readonly [Value, Fitted], undefined> {
  const waiting = new Map<Pointer, Value[]>();
  for (const value of values) {
    const place = waiting.get(value.at);
    const fitted = place === undefined ? fit(value) : undefined;
    place?.push(value);
    if (fitted === undefined) continue;
    waiting.set(value.at, []);
    yield [value, fitted];
  }
  for (
    let open = [...waiting.values()];
    open.length > 0;
    open = open.filter((place) => place.length > 0)
  ) {
    for (const place of open) {
      for (let value = place.shift(); value !== undefined; value = place.shift()) {
        const fitted = fit(value);
        if (fitted === undefined) continue;
        yield [value, fitted];
        break;
      }
    }
  }
  return undefined;
}
