import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MaybePromise } from '../../store/store.ts';
import { isClosing } from './connections.ts';
import { pipelineLimit } from '../limits.ts';

/**
 * Something to be done for a request. It ends its turn once; what it throws before loses the
 * connection.
 */
export type Work = (turn: Turn) => void;

interface Waiting {
  readonly response: ServerResponse;
  readonly work: Work;
}

const turns = new WeakMap<Socket, Turn>();

/**
 * As many bytes of an answer may wait for a client that does not read, while the next request of
 * its connection is answered.
 */
const mostUnsent = 64 * 1024;

/**
 * Does the work for the requests of one connection one after the other, so that pipelined requests
 * have their effects in the order in which they were sent (RFC 9112, section 9.3.2), and none
 * behind one that was refused. Work that need not wait is begun at once; behind a large answer it
 * waits until that is out, so that a client which only asks, and never reads, fills no memory. What
 * waits behind a refusal, or on a connection that is gone, is forgotten. A client that pipelines
 * without end loses its connection.
 */
export function inTurn(response: ServerResponse, work: Work): void {
  const { socket } = response.req;
  let turn = turns.get(socket);
  if (turn === undefined) turns.set(socket, (turn = new Turn(socket)));
  turn.take({ response, work });
}

/** Whose turn it is on one connection. */
export class Turn {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  /** The response whose work is under way. */
  #current: ServerResponse | undefined;
  #isBeginning = false;
  readonly #advance = (): void => this.#next();
  readonly #settle = (): void => this.#over();
  /** What serves has failed: its connection is lost, and not the process. */
  readonly #lose = (): void => {
    this.#socket.destroy();
    this.#over();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Does the work now, or when all before it is over. */
  take(waiting: Waiting): void {
    if (this.#current === undefined) return this.#begin(waiting);
    this.#waiting.push(waiting);
    if (this.#waiting.length >= pipelineLimit) this.#socket.destroy();
  }

  #over(): void {
    // Even work that was over at once has the next request wait, until all that came with it is
    // read and answers can be told unsent.
    if (this.#isBeginning) void soon.then(this.#advance);
    else this.#next();
  }

  /**
   * Does the last step of the work that is under way. `failed` answers for what it throws; where
   * that fails too, or is not given, the connection is lost.
   */
  end(step: () => MaybePromise<void>, failed?: (fault: unknown) => void): void {
    try {
      const ending = step();
      if (ending instanceof Promise)
        return void ending.catch(failed).then(this.#settle, this.#lose);
    } catch (fault) {
      return this.#fail(fault, failed);
    }
    this.#over();
  }

  #fail(fault: unknown, failed: ((fault: unknown) => void) | undefined): void {
    if (failed === undefined) return this.#lose();
    try {
      failed(fault);
    } catch {
      return this.#lose();
    }
    this.#over();
  }

  #begin({ response, work }: Waiting): void {
    if (isClosing(this.#socket) || this.#socket.destroyed) return;
    this.#current = response;
    this.#isBeginning = true;
    try {
      work(this);
    } catch {
      this.#lose();
    }
    this.#isBeginning = false;
  }

  #next(): void {
    const last = this.#current;
    if (
      this.#waiting.length > 0 &&
      last !== undefined &&
      last.writableLength > mostUnsent &&
      !last.closed
    )
      return void last.once('close', this.#advance);
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#begin(next);
  }
}

const soon = Promise.resolve();
