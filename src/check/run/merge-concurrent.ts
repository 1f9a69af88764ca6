/** A source of values that has not begun. */
export type Source<Value> = () => AsyncGenerator<Value, void>;

interface Turn<Value> {
  readonly generator: AsyncGenerator<Value, void>;
  readonly result: IteratorResult<Value, void>;
}

/**
 * The values of many sources as they come, so many sources at a time, begun in order. Where one throws, or the reader stops,
 * `abandon` is called, so that what is under way can be cut short, and every source is closed before this ends.
 */
export async function* mergeConcurrent<Value>(sources: Iterable<Source<Value>>, concurrency: number, abandon: () => void): AsyncGenerator<Value, void> {
  const active = new Map<AsyncGenerator<Value, void>, Promise<void>>();
  // A turn that is done waits here for the reader, so that each costs the same however many are under way.
  const done: Turn<Value>[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const waiting = sources[Symbol.iterator]();
  const advance = async (generator: AsyncGenerator<Value, void>): Promise<void> => {
    try {
      done.push({ generator, result: await generator.next() });
    } catch (error) {
      failure ??= { error };
    }
    wake();
  };
  const begin = (): boolean => {
    const next = waiting.next();
    if (next.done === true) return false;
    const generator = next.value();
    active.set(generator, advance(generator));
    return true;
  };
  try {
    while (active.size < concurrency && begin());
    while (active.size > 0) {
      if (done.length === 0 && failure === undefined) await new Promise<void>((resolve) => (wake = resolve));
      if (failure !== undefined) throw failure.error;
      const turn = done.shift();
      if (turn === undefined) continue;
      if (turn.result.done === true) {
        active.delete(turn.generator);
        begin();
      } else {
        active.set(turn.generator, advance(turn.generator));
        yield turn.result.value;
      }
    }
  } finally {
    if (active.size > 0) {
      abandon();
      await Promise.allSettled([...active].flatMap(([generator, turn]) => [turn, generator.return()]));
    }
  }
}
