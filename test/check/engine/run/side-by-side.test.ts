import { describe, expect, test } from 'vitest';
import { sideBySide } from '../../../../src/check/engine/send/side-by-side.ts';

const abandon = (): void => {};

describe('many tasks run in parallel', () => {
  test('each of them once', async () => {
    const done: number[] = [];
    const tasks = Array.from({ length: 50 }, (_, index) => index);
    await sideBySide(tasks, {
      concurrency: 8,
      work: async (task) => void done.push(task),
      abandon,
    });
    expect(done.sort((left, right) => left - right)).toEqual(tasks);
  });

  test('one after the other with a limit of one', async () => {
    const told: string[] = [];
    const work = async (task: number): Promise<void> => {
      told.push(`begin ${String(task)}`);
      await Promise.resolve();
      told.push(`end ${String(task)}`);
    };
    await sideBySide([1, 2], { concurrency: 1, work, abandon });
    expect(told).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  test('a waiting task does not block the others', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done: number[] = [];
    const work = async (task: number): Promise<void> => {
      if (task === 1) await promise;
      if (task === 4) resolve();
      done.push(task);
    };
    await sideBySide([1, 2, 3, 4], { concurrency: 2, work, abandon });
    expect(done).toEqual([2, 3, 4, 1]);
  });

  test('no more than the limit', async () => {
    let [taken, open, max] = [0, 0, 0];
    function* tasks(): Generator<number, void> {
      for (; taken < 20; taken += 1) yield taken;
    }
    let ended = 0;
    const work = async (): Promise<void> => {
      open += 1;
      expect(taken - ended).toBeLessThan(3);
      max = Math.max(max, open);
      await Promise.resolve();
      open -= 1;
      ended += 1;
    };
    await sideBySide(tasks(), { concurrency: 3, work, abandon });
    expect([taken, open, max]).toEqual([20, 0, 3]);
  });
});

describe('if one task throws', () => {
  test('running tasks are aborted and awaited, and the first error is thrown', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const told: string[] = [];
    const work = async (task: string): Promise<void> => {
      told.push(`begin ${task}`);
      if (task === 'long') await promise;
      if (task !== 'long') throw new Error(`${task} is broken`);
      told.push('end long');
      throw new Error('so is what was abandoned');
    };
    const failing = sideBySide(['long', 'short', 'never'], {
      concurrency: 2,
      work,
      abandon: () => {
        told.push('abandoned');
        resolve();
      },
    });
    await expect(failing).rejects.toThrow('short is broken');
    expect(told).toEqual(['begin long', 'begin short', 'abandoned', 'end long']);
  });

  test('also if taking the next task fails', async () => {
    function* tasks(): Generator<number, void> {
      yield 1;
      throw new Error('no more');
    }
    await expect(
      sideBySide(tasks(), { concurrency: 2, work: async () => {}, abandon }),
    ).rejects.toThrow('no more');
  });
});
