/** A source of values that has not begun. */
export type Source<Value> = () => AsyncGenerator<Value, void>;

interface Turn<Value> {
  readonly slot: number;
  readonly generator: AsyncGenerator<Value, void>;
  readonly result: IteratorResult<Value, void>;
}

/**
 * The values of many sources as they come, so many sources at a time, begun in order. Where one throws, or the reader stops,
 * `abandon` is called, so that what is under way can be cut short, and every source is closed before this ends.
 */
export async function* mergeConcurrent<Value>(sources: readonly Source<Value>[], concurrency: number, abandon: () => void): AsyncGenerator<Value, void> {
  const active = new Map<number, { readonly generator: AsyncGenerator<Value, void>; turn: Promise<Turn<Value>> }>();
  let begun = 0;
  const advance = async (slot: number, generator: AsyncGenerator<Value, void>): Promise<Turn<Value>> => ({ slot, generator, result: await generator.next() });
  const begin = (): void => {
    const source = sources[begun];
    if (source === undefined) return;
    const generator = source();
    active.set(begun, { generator, turn: advance(begun, generator) });
    begun += 1;
  };
  try {
    while (active.size < concurrency && begun < sources.length) begin();
    while (active.size > 0) {
      const { slot, generator, result } = await Promise.race([...active.values()].map(({ turn }) => turn));
      if (result.done === true) {
        active.delete(slot);
        begin();
      } else {
        active.set(slot, { generator, turn: advance(slot, generator) });
        yield result.value;
      }
    }
  } finally {
    if (active.size > 0) {
      abandon();
      await Promise.allSettled([...active.values()].flatMap(({ generator, turn }) => [turn, generator.return()]));
    }
  }
}
