import { expect, test } from 'vitest';
import { EventQueue } from '../../../../src/check/engine/send/event-queue.ts';

const abandon = (): void => {};

async function collect(queue: EventQueue<number>, work: () => Promise<void>): Promise<number[]> {
  const all: number[] = [];
  for await (const values of queue.during(work, abandon)) all.push(...values);
  return all;
}

test('the reader gets every value in order, and the end when the work has ended', async () => {
  const queue = new EventQueue<number>();
  const work = async (): Promise<void> => {
    void queue.put(1);
    await Promise.resolve();
    void queue.put(2);
    void queue.put(3);
  };
  expect(await collect(queue, work)).toEqual([1, 2, 3]);
  expect(await collect(queue, async () => {})).toEqual([]);
});

test('an error comes after the values before it', async () => {
  const queue = new EventQueue<number>();
  const seen: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const values of queue.during(async () => {
      void queue.put(1);
      throw new Error('broken');
    }, abandon))
      seen.push(...values);
  };
  await expect(reading()).rejects.toThrow('broken');
  expect(seen).toEqual([1]);
});

test('work waits for a slow reader, and continues when it has caught up', async () => {
  const queue = new EventQueue<number>();
  let made = 0;
  const work = async (): Promise<void> => {
    for (; made < 10_000; made += 1) await queue.put(made);
  };
  let furthest = 0;
  let next = 0;
  for await (const values of queue.during(work, abandon)) {
    await new Promise((resolve) => setImmediate(resolve));
    for (const value of values) {
      expect(value).toBe(next);
      next += 1;
      furthest = Math.max(furthest, made - value);
    }
  }
  expect(next).toBe(10_000);
  expect(furthest).toBeGreaterThan(100);
  expect(furthest).toBeLessThan(600);
});

test('a reader that stops aborts the work, and waits until it has ended', async () => {
  const queue = new EventQueue<number>();
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    void queue.put(1);
    await promise;
    for (let value = 0; value < 1_000; value += 1) await queue.put(value);
    told.push('the work has ended');
  };
  for await (const _ of queue.during(work, () => (told.push('abandoned'), resolve()))) break;
  told.push('let go');
  expect(told).toEqual(['abandoned', 'the work has ended', 'let go']);
});
