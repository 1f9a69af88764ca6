import { describe, expect, test } from 'vitest';
import { makePace } from '../../../src/check/transport/retry-send.ts';

const signal = new AbortController().signal;

/** A clock that only waiting moves. */
function makeClock(): { readonly now: () => number; readonly wait: (ms: number) => Promise<void> } {
  let time = 0;
  return {
    now: () => time,
    wait: async (ms) => {
      time += ms;
    },
  };
}

describe('paced requests are sent', () => {
  test('spaced by the rate', async () => {
    const { now, wait } = makeClock();
    const pace = makePace(4, wait, now);
    const left: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      await pace.turn(signal);
      left.push(now());
    }
    expect(left).toEqual([0, 250, 500, 750, 1_000]);
  });

  test('at once without a rate', async () => {
    const { now, wait } = makeClock();
    const pace = makePace(undefined, wait, now);
    for (let count = 0; count < 5; count += 1) await pace.turn(signal);
    expect(now()).toBe(0);
  });

  test('later if the server requested a pause', async () => {
    const { now, wait } = makeClock();
    const pace = makePace(undefined, wait, now);
    pace.pause(3_000);
    pace.pause(1_000);
    await pace.turn(signal);
    expect(now()).toBe(3_000);
  });

  test('more slowly while the service is busy, and at once again after other answers', async () => {
    const { now, wait } = makeClock();
    const pace = makePace(undefined, wait, now);
    const gap = async (): Promise<number> => {
      await pace.turn(signal);
      const before = now();
      await pace.turn(signal);
      return now() - before;
    };
    for (let count = 0; count < 3; count += 1) pace.note(true);
    expect(await gap()).toBe(200);
    for (let count = 0; count < 10; count += 1) pace.note(true);
    expect(await gap()).toBe(1_000);
    for (let count = 0; count < 30; count += 1) pace.note(false);
    expect(await gap()).toBe(0);
  });

  test('no more after the end of the run', async () => {
    const { now, wait } = makeClock();
    expect(() => makePace(1, wait, now).turn(AbortSignal.abort(new Error('over')))).toThrow('over');
  });
});
