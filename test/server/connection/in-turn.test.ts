import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Turn, Turns } from '../../../src/server/connection/connections.ts';

const turns = new Turns();

/** A connection of which only is known whether it was lost, and responses on it. */
function connection() {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: () => void (socket.destroyed = true),
  });
  return {
    socket,
    response: () =>
      ({ req: { socket }, writableLength: 0, closed: false }) as unknown as ServerResponse,
  };
}

const microtasks = async (): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await Promise.resolve();
};

test('work is done one after the other, also if it is synchronous', async () => {
  const { response } = connection();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c'])
    turns.take(response(), (turn) => turn.end(() => void done.push(name)));
  expect(done).toEqual(['a']);
  await microtasks();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('asynchronous work delays the next until it is done', async () => {
  const { response } = connection();
  const done: string[] = [];
  let first: Turn | undefined;
  const ending = Promise.withResolvers<void>();
  turns.take(response(), (turn) => void (first = turn));
  turns.take(response(), (turn) => turn.end(() => void done.push('second')));
  await microtasks();
  expect(done).toEqual([]);
  first?.end(() => ending.promise);
  await microtasks();
  expect(done).toEqual([]);
  ending.resolve();
  await microtasks();
  expect(done).toEqual(['second']);
});

test.each([
  [
    'at once',
    (fault: Error): void => {
      throw fault;
    },
  ],
  ['later', (fault: Error): Promise<void> => Promise.reject(fault)],
])('a step that fails %s is answered for, and the next is done', async (_when, step) => {
  const { socket, response } = connection();
  const told: unknown[] = [];
  turns.take(response(), (turn) =>
    turn.end(
      () => step(new Error('of the step')),
      (fault) => told.push(String(fault)),
    ),
  );
  turns.take(response(), (turn) => turn.end(() => void told.push('next')));
  await microtasks();
  expect(told).toEqual(['Error: of the step', 'next']);
  expect(socket.destroyed).toBe(false);
});

test.each<[string, (turn: Turn) => void]>([
  [
    'throws before its last step',
    () => {
      throw new Error('early');
    },
  ],
  [
    'fails in its last step, and nobody answers for it',
    (turn) =>
      turn.end(() => {
        throw new Error('last');
      }),
  ],
  [
    'fails later, and nobody answers for it',
    (turn) => turn.end(() => Promise.reject(new Error('later'))),
  ],
  [
    'fails, and so does who answers for it',
    (turn) =>
      turn.end(
        () => {
          throw new Error('last');
        },
        () => {
          throw new Error('answering');
        },
      ),
  ],
])('work that %s loses its connection, and what waits there is forgotten', async (_what, work) => {
  const { socket, response } = connection();
  const done: string[] = [];
  turns.take(response(), work);
  turns.take(response(), (turn) => turn.end(() => void done.push('next')));
  await microtasks();
  expect(socket.destroyed).toBe(true);
  expect(done).toEqual([]);
});
