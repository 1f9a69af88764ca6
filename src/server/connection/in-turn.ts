import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isCondemned } from './condemned.ts';
import { pipelineLimit } from '../limits.ts';

/** Something to be done for a request; it is over when it returns, or when its promise is. */
export type Work = () => Promise<void> | void;

interface Waiting {
  readonly response: ServerResponse;
  readonly work: Work;
}

interface Turns {
  busy: boolean;
  readonly waiting: Waiting[];
}

const turns = new WeakMap<Socket, Turns>();

/** As many bytes of an answer may wait for a client that does not read, while the next request of its connection is answered. */
const mostUnsent = 64 * 1024;

/**
 * Does the work for the requests of one connection one after the other, so that pipelined requests have their effects in the
 * order in which they were sent (RFC 9112, section 9.3.2), and none behind one that was refused. Work that need not wait is begun
 * at once; behind a large answer it waits until that is out, so that a client which only asks, and never reads, fills no memory.
 * What waits behind a refusal, or on a connection that is gone, is forgotten. A client that pipelines without end loses its connection.
 */
export function inTurn(response: ServerResponse, work: Work): void {
  const { socket } = response.req;
  let turn = turns.get(socket);
  if (turn === undefined) turns.set(socket, (turn = { busy: false, waiting: [] }));
  if (!turn.busy) return begin(turn, { response, work });
  turn.waiting.push({ response, work });
  if (turn.waiting.length >= pipelineLimit) socket.destroy();
}

function begin(turn: Turns, { response, work }: Waiting): void {
  const { socket } = response.req;
  if (isCondemned(socket) || socket.destroyed) return;
  turn.busy = true;
  const next = (): void => advance(turn, response);
  // Nothing that serves is known to fail; if it does, its connection is lost and not the process.
  const lose = (): void => {
    socket.destroy();
    next();
  };
  try {
    // Even work that is over has the next request wait, until all that came with it is read and answers can be told unsent.
    (work() ?? over).then(next, lose);
  } catch {
    lose();
  }
}

const over = Promise.resolve();

function advance(turn: Turns, last: ServerResponse): void {
  if (turn.waiting.length > 0 && last.writableLength > mostUnsent && !last.closed) return void last.once('close', () => advance(turn, last));
  turn.busy = false;
  const next = turn.waiting.shift();
  if (next !== undefined) begin(turn, next);
}
