import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isCondemned } from './condemned.ts';
import { pipelineLimit } from '../limits.ts';

/** Something to be done for a request; it is over when its promise is. */
export type Work = () => Promise<void>;

interface Turns {
  busy: boolean;
  readonly waiting: Work[];
}

const turns = new WeakMap<Socket, Turns>();

/**
 * Does the work for the requests of one connection one after the other, so that pipelined requests have their effects in the
 * order in which they were sent (RFC 9112, section 9.3.2), and none behind one that was refused. Work that need not wait is begun
 * at once. What waits behind a refusal, or on a connection that is gone, is forgotten. A client that pipelines without end loses its connection.
 */
export function inTurn({ socket }: IncomingMessage, work: Work): void {
  let turn = turns.get(socket);
  if (turn === undefined) turns.set(socket, (turn = { busy: false, waiting: [] }));
  if (!turn.busy) return begin(turn, socket, work);
  turn.waiting.push(work);
  if (turn.waiting.length >= pipelineLimit) socket.destroy();
}

function begin(turn: Turns, socket: Socket, work: Work): void {
  if (isCondemned(socket) || socket.destroyed) return;
  turn.busy = true;
  const next = (): void => advance(turn, socket);
  // Nothing that serves is known to fail; if it does, its connection is lost and not the process.
  work().then(next, () => {
    socket.destroy();
    next();
  });
}

function advance(turn: Turns, socket: Socket): void {
  turn.busy = false;
  const work = turn.waiting.shift();
  if (work !== undefined) begin(turn, socket, work);
}
