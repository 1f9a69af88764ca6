import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isCondemned } from './condemned.ts';
import { pipelineLimit } from './limits.ts';

interface Turns {
  last: Promise<void>;
  waiting: number;
}

const turns = new WeakMap<Socket, Turns>();

/**
 * Does the work for the requests of one connection one after the other, so that pipelined requests have their effects in the
 * order in which they were sent (RFC 9112, section 9.3.2), and none behind one that was refused. A client that pipelines
 * without end loses its connection.
 */
export function inTurn({ socket }: IncomingMessage, work: () => Promise<void>): void {
  const turn = turns.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
  turns.set(socket, turn);
  turn.waiting += 1;
  if (turn.waiting > pipelineLimit) socket.destroy();
  // Nothing that serves is known to fail; if it does, its connection is lost and not the process.
  turn.last = turn.last
    .then(() => (isCondemned(socket) || socket.destroyed ? undefined : work()))
    .catch(() => void socket.destroy())
    .finally(() => {
      turn.waiting -= 1;
    });
}
