import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../http/message.ts';
import { remember } from '../../remember.ts';
import type { MaybePromise } from '../../store/store.ts';
import { pipelineLimit } from '../limits.ts';
import { followResponse } from './served-messages.ts';

interface Connection {
  /** The unfinished responses, in the order of their requests. */
  readonly under: ServerResponse[];
  givenUp: boolean;
  /** Removes a finished response. */
  readonly settle: (response: ServerResponse) => void;
}

/** The open connections of a server and the exchanges in progress on each. */
export interface Connections {
  /**
   * Registers an exchange until its response is sent or its connection is closed. Returns false if
   * the connection no longer accepts requests.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Marks a connection as closing: complete requests are still answered, and nothing else is read.
   * Returns false if it was already marked.
   */
  giveUp(socket: Socket): boolean;
  /**
   * Resolves when every complete request of this connection is answered, or the connection is
   * closed.
   */
  answered(socket: Socket): Promise<void>;
  /** Closes idle connections now, and each other connection after its last exchange. */
  drain(): void;
  /** Closes every connection at once. */
  destroy(): void;
}

interface ConnectionSource {
  /** `connection`, or for TLS `secureConnection`: the end of a handshake. */
  readonly event: 'connection' | 'secureConnection';
  /** Closes connections that have not reached that event. */
  closeAll(): void;
}

export function trackConnections(server: Server, source: ConnectionSource): Connections {
  const open = new Map<Socket, Connection>();
  let draining = false;

  server.on(source.event, (socket: Socket) => {
    const connection: Connection = {
      under: [],
      givenUp: false,
      settle(response) {
        // An array, because there are few; a set would allocate a hash for each response.
        const at = connection.under.indexOf(response);
        if (at === connection.under.length - 1) connection.under.pop();
        else if (at !== -1) connection.under.splice(at, 1);
        // A closing connection ends by itself after its last response.
        if (draining && connection.under.length === 0 && !connection.givenUp) socket.destroySoon();
      },
    };
    open.set(socket, connection);
    socket.once('close', () => open.delete(socket));
  });

  return {
    begin(request, response) {
      const connection = open.get(request.socket);
      if (connection === undefined || connection.givenUp || draining) return false;
      connection.under.push(response);
      followResponse(response, connection.settle);
      return true;
    },
    giveUp(socket) {
      const connection = open.get(socket);
      if (connection === undefined || connection.givenUp) return false;
      connection.givenUp = true;
      for (const { req } of connection.under) if (!req.complete) markClosing(req);
      return true;
    },
    async answered(socket) {
      const under = [...(open.get(socket)?.under ?? [])];
      await Promise.all(
        under.filter(({ req }) => req.complete).map((response) => over(socket, response)),
      );
    },
    drain() {
      draining = true;
      source.closeAll();
      for (const [socket, { under }] of open) endAfter(socket, under.at(-1));
    },
    destroy() {
      source.closeAll();
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function endAfter(socket: Socket, last: ServerResponse | undefined): void {
  if (last === undefined) socket.destroySoon();
  // Node then sends `Connection: close` with it.
  else if (!last.headersSent) last.shouldKeepAlive = false;
}

function over(socket: Socket, response: ServerResponse): Promise<void> {
  if (socket.destroyed || response.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('close', resolve);
    socket.once('close', () => resolve());
  });
}

const condemned = new WeakSet<Socket | IncomingMessage>();

/**
 * Marks a connection as closing after a refused request, or a request that never arrived
 * completely: nothing more is read from it.
 */
export function markClosing(given: Socket | IncomingMessage): void {
  condemned.add(given);
}

/** Whether a connection, or the connection of a request, is closing. */
export function isClosing(given: Socket | IncomingMessage): boolean {
  return condemned.has(given);
}

/** Work for a request. It ends its turn once; an exception before that closes the connection. */
type Work = (turn: Turn) => void;

interface Waiting {
  readonly response: ServerResponse;
  readonly work: Work;
}

/**
 * The maximum number of unsent bytes of a response while the next request of its connection is
 * answered.
 */
const maxUnsent = 64 * 1024;

/**
 * Processes the requests of each connection one after the other: pipelined requests take effect in
 * the order in which they were sent (RFC 9112, section 9.3.2), and none after a refused one. A
 * request that need not wait starts at once; after a large response it waits until that is sent, so
 * that a client that never reads cannot fill the memory. Requests after a refusal, or on a closed
 * connection, are dropped. A client that pipelines too many requests loses its connection.
 */
export class Turns {
  /** One for each connection, and as long as it. */
  readonly #turns = new WeakMap<Socket, Turn>();

  /** Does the work of a request in its turn. */
  take(response: ServerResponse, work: Work): void {
    const { socket } = response.req;
    const turn = remember(this.#turns, socket, () => new Turn(socket));
    turn.take({ response, work });
  }
}

/** Whose turn it is on one connection. */
export class Turn {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
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
      last.writableLength > maxUnsent &&
      !last.closed
    )
      return void last.once('close', this.#advance);
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#begin(next);
  }
}

const soon = Promise.resolve();

/** The result of TLS verification of a client's certificate. */
export function certificateOf(socket: Socket): ClientCertificate {
  // Node returns an empty object if there is none.
  if (!isTlsSocket(socket) || Object.keys(socket.getPeerCertificate() ?? {}).length === 0)
    return { kind: 'missing' };
  return socket.authorized
    ? { kind: 'verified' }
    : { kind: 'untrusted', reason: String(socket.authorizationError) };
}

/**
 * Whether a connection uses TLS. Checks the class name, because loading `node:tls` would slow down
 * the start of every mock without TLS.
 */
export function isTlsSocket(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}
