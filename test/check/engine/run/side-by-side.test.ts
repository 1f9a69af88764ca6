import { describe, expect, test } from 'vitest';
import { fixedLanes, sideBySide } from '../../../../src/check/engine/send/side-by-side.ts';

const abandon = (): void => {};

describe('many tasks run in parallel', () => {
  test('each of them once', async () => {
    const done: number[] = [];
    const tasks = Array.from({ length: 50 }, (_, index) => index);
    await sideBySide(tasks, {
      lanes: fixedLanes(8),
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
    await sideBySide([1, 2], { lanes: fixedLanes(1), work, abandon });
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
    await sideBySide([1, 2, 3, 4], { lanes: fixedLanes(2), work, abandon });
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
    await sideBySide(tasks(), { lanes: fixedLanes(3), work, abandon });
    expect([taken, open, max]).toEqual([20, 0, 3]);
  });
});

describe('the limit changes while tasks run', () => {
  /** Tasks that end when they are told to, and the limit. */
  const observe = (current: number) => {
    const lanes = { current, onRise: (call: () => void) => ((listener = call), () => {}) };
    let listener = (): void => {};
    const [open, ends] = [new Set<number>(), new Map<number, () => void>()];
    const work = async (task: number): Promise<void> => {
      open.add(task);
      await new Promise<void>((resolve) => ends.set(task, resolve));
      open.delete(task);
    };
    const end = async (...tasks: number[]): Promise<void> => {
      for (const task of tasks) ends.get(task)?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { lanes, work, open, end, rise: () => listener() };
  };

  test('waiting tasks start at once when it rises', async () => {
    const { lanes, work, open, end, rise } = observe(1);
    const running = sideBySide([1, 2, 3, 4], { lanes, work, abandon });
    expect([...open]).toEqual([1]);
    lanes.current = 3;
    rise();
    expect([...open]).toEqual([1, 2, 3]);
    await end(1, 2, 3);
    await end(4);
    await running;
  });

  test('tasks end before another one starts when it falls, and none is forgotten', async () => {
    const { lanes, work, open, end } = observe(3);
    const running = sideBySide([1, 2, 3, 4, 5], { lanes, work, abandon });
    lanes.current = 1;
    await end(1, 2);
    expect([...open]).toEqual([3]);
    await end(3);
    expect([...open]).toEqual([4]);
    await end(4);
    await end(5);
    await running;
    expect([...open]).toEqual([]);
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
      lanes: fixedLanes(2),
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
      sideBySide(tasks(), { lanes: fixedLanes(2), work: async () => {}, abandon }),
    ).rejects.toThrow('no more');
  });
});
