import { describe, expect, test } from 'vitest';
import { mergeConcurrent, type Source } from '../../../src/check/run/merge-concurrent.ts';

/** A source whose values come when they are let go. */
function gated(values: readonly number[], gate: Promise<void> = Promise.resolve()): Source<number> {
  return async function* () {
    for (const value of values) {
      await gate;
      yield value;
    }
  };
}

async function collect(sources: readonly Source<number>[], concurrency: number): Promise<number[]> {
  const all: number[] = [];
  for await (const value of mergeConcurrent(sources, concurrency, () => {})) all.push(value);
  return all;
}

describe('many sources become one', () => {
  test('with every value once', async () => {
    const sources = Array.from({ length: 50 }, (_, index) => gated([index * 2, index * 2 + 1]));
    expect((await collect(sources, 8)).sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test('one after the other, where only one may be under way', async () => {
    expect(await collect([gated([1, 2]), gated([]), gated([3])], 1)).toEqual([1, 2, 3]);
  });

  test('and one that waits holds up nobody', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const seen: number[] = [];
    for await (const value of mergeConcurrent([gated([1], promise), gated([2, 3])], 2, () => {})) {
      seen.push(value);
      if (value === 3) resolve();
    }
    expect(seen).toEqual([2, 3, 1]);
  });

  test('no more are begun than may be under way', async () => {
    let open = 0;
    let most = 0;
    const sources = Array.from({ length: 20 }, (): Source<number> => async function* () {
      open += 1;
      most = Math.max(most, open);
      yield 1;
      await Promise.resolve();
      open -= 1;
    });
    await collect(sources, 3);
    expect(most).toBe(3);
  });
});

describe('what is under way is closed', () => {
  function closing(closed: string[], name: string): Source<number> {
    return async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        closed.push(name);
      }
    };
  }

  test('where the reader stops', async () => {
    const closed: string[] = [];
    for await (const _ of mergeConcurrent([closing(closed, 'a'), closing(closed, 'b')], 2, () => closed.push('abandoned'))) break;
    expect(closed.sort()).toEqual(['a', 'abandoned', 'b']);
  });

  test('where one throws, and its error is the one that is told', async () => {
    const closed: string[] = [];
    const failing: Source<number> = async function* () {
      yield 0;
      throw new Error('broken');
    };
    await expect(collect([failing, closing(closed, 'a')], 2)).rejects.toThrow('broken');
    expect(closed).toEqual(['a']);
  });
});
