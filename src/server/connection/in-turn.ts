import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MaybePromise } from '../../store/store.ts';
import { isClosing } from './connections.ts';
import { pipelineLimit } from '../limits.ts';

/** Work for a request. It ends its turn once; an exception before that closes the connection. */
export type Work = (turn: Turn) => void;

interface Waiting {
  readonly response: ServerResponse;
  readonly work: Work;
}

const turns = new WeakMap<Socket, Turn>();

/**
 * The maximum number of unsent bytes of a response while the next request of its connection is
 * answered.
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
  /** The response in progress. */
  #current: ServerResponse | undefined;
  #isBeginning = false;
  readonly #advance = (): void => this.#next();
  readonly #settle = (): void => this.#over();
  /** Closes the connection after an error, so that the process continues. */
  readonly #lose = (): void => {
    this.#socket.destroy();
    this.#over();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Does the work now, or after all previous work. */
  take(waiting: Waiting): void {
    if (this.#current === undefined) return this.#begin(waiting);
    this.#waiting.push(waiting);
    if (this.#waiting.length >= pipelineLimit) this.#socket.destroy();
  }

  #over(): void {
    // Even after work that ended at once, the next request waits until all input is read, so that
    // unsent responses are counted.
    if (this.#isBeginning) void soon.then(this.#advance);
    else this.#next();
  }

  /**
   * Runs the last step of the work in progress. If it throws, `failed` answers; without `failed`,
   * or if that throws too, the connection is closed.
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
