import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from '../fixture/crud/crud.ts';

const numbers = (from: number, step: number): number[] =>
  [0, 1, 2, 3].map((at) => from + at * step);

/** Queues in an order: a queue at a place that is taken moves all that stand there and after it. */
function queues(
  places: readonly number[],
  { maximum, optional = ['priority'] }: { maximum?: number; optional?: string[] } = {},
): {
  readonly service: Crud;
  readonly others: readonly Row[];
  readonly sent: unknown[];
  readonly asked: unknown[];
} {
  const sent: unknown[] = [];
  const asked: unknown[] = [];
  const others: Row[] = [];
  const service = crud(
    {
      Queue: {
        fields: {
          name: text,
          priority: { type: 'integer', minimum: 1, ...(maximum === undefined ? {} : { maximum }) },
        },
        optional,
        can: 'list create read update delete',
      },
    },
    (rows) => {
      const give = (own: Row): void => {
        sent.push(own['priority']);
        const isTaken = rows('queues').some(
          (other) => other !== own && other['priority'] === own['priority'],
        );
        for (const other of isTaken ? rows('queues') : [])
          if (other !== own && Number(other['priority']) >= Number(own['priority']))
            Object.assign(other, { priority: Number(other['priority']) + 1 });
      };
      return {
        made: { queues: give },
        changed: { queues: give },
        on: {
          createQueue: (one) => void asked.push(Object(one.sent).priority),
        },
      };
    },
  );
  for (const [at, priority] of places.entries()) {
    const other = { id: `other-${String(at)}`, name: `of others ${String(at)}`, priority };
    others.push(other);
    service.rows('queues').push(other);
  }
  return { service, others, sent, asked };
}

const placesOf = (rows: readonly Row[]): unknown[] => rows.map((row) => row['priority']);

describe('an order in which records of others stand', () => {
  test('keeps its places, and the run takes those after them', async () => {
    const { service, others, sent, asked } = queues(numbers(1, 1));
    expect(await service.alarms()).toEqual([]);
    expect(placesOf(others)).toEqual(numbers(1, 1));
    expect(Math.min(...sent.map(Number).filter(Number.isFinite))).toBeGreaterThan(4);
    expect(asked).not.toContainEqual(true);
  });

  test('has no place for the run where the contract allows none after them', async () => {
    const { service, others, sent } = queues(numbers(1, 1), { maximum: 4 });
    await service.alarms();
    expect(placesOf(others)).toEqual(numbers(1, 1));
    expect(sent.length).toBeGreaterThan(5);
    expect(new Set(sent)).toEqual(new Set([undefined]));
  });

  test('keeps the run from creates that need a place, where all are held', async () => {
    const { service, others, asked } = queues(numbers(1, 1), { maximum: 4, optional: [] });
    expect(await service.alarms(/^error/)).toEqual([]);
    expect(placesOf(others)).toEqual(numbers(1, 1));
    expect(asked.filter((place) => typeof place === 'number' && place <= 4)).toEqual([]);
  });

  test('is none where the numbers are not in a row', async () => {
    const { service, sent } = queues(numbers(10, 15));
    await service.alarms();
    expect(sent).toContain(1);
  });
});

test('a tested text that the run wrote elsewhere makes no record of that name', async () => {
  const made: string[] = [];
  const service = crud(
    {
      Note: { fields: { title: text, words: shown({ type: 'array', items: text }) } },
      Queue: { fields: { name: text }, can: 'list' },
      Deployment: { fields: { title: text, queueName: text }, optional: ['queueName'] },
    },
    (rows) => ({
      // As if each note had been written with them.
      show: { notes: (note) => ({ ...note, words: ['naïve façade', '漢字とかな', 'éä'] }) },
      made: {
        deployments: ({ id, queueName: name }) => {
          if (typeof name !== 'string' || rows('queues').some((queue) => queue['name'] === name))
            return;
          made.push(name);
          rows('queues').push({ id: `queue-of-${id}`, name });
        },
      },
    }),
  );
  await service.alarms();
  // The first is of the plain request, which tests nothing.
  expect(made.slice(1)).toEqual([]);
});

test('a pattern that leaves out some characters has room for names of the run', async () => {
  const names: unknown[] = [];
  const service = crud(
    { Pool: { fields: { name: { type: 'string', pattern: '^[^/%&><]+$' } } } },
    () => ({
      refuse: {
        pools: (pool, beside) => {
          names.push(pool['name']);
          return beside.some((other) => other['name'] === pool['name']) ? 409 : undefined;
        },
      },
    }),
  );
  expect(await service.alarms()).toEqual([]);
  const own = names.filter((name) => String(name).includes('vouch-'));
  expect(own.length).toBeGreaterThan(names.length / 2);
});
