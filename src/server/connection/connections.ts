import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { followResponse } from './served-messages.ts';

interface Connection {
  /** The responses that are not out yet, in the order of their requests. */
  readonly under: ServerResponse[];
  givenUp: boolean;
  /** Takes note of a response that is over. */
  readonly settle: (response: ServerResponse) => void;
}

/** The open connections of a server, and the exchanges that are under way on each. */
export interface Connections {
  /**
   * Notes an exchange until its response is sent or its connection is gone. False where it comes
   * too late to be answered.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Gives up a connection: what has come in whole is still answered, and nothing else is read.
   * False where it was already.
   */
  giveUp(socket: Socket): boolean;
  /**
   * Resolves when every request that has come in whole on this connection is answered, or the
   * connection is gone.
   */
  answered(socket: Socket): Promise<void>;
  /** Closes what is idle now, and each other connection as soon as its last exchange is over. */
  drain(): void;
  /** Closes every connection at once. */
  destroy(): void;
}

/** Where the connections of a server come from. */
export interface ConnectionSource {
  /** `connection`, or for TLS `secureConnection`: the end of a handshake. */
  readonly event: 'connection' | 'secureConnection';
  /** Closes what has not come as far as that event. */
  closeAll(): void;
}

/** Follows the connections of a server. */
export function trackConnections(server: Server, source: ConnectionSource): Connections {
  const open = new Map<Socket, Connection>();
  let draining = false;

  server.on(source.event, (socket: Socket) => {
    const connection: Connection = {
      under: [],
      givenUp: false,
      settle(response) {
        // A few at most, and nearly always the only one: a set would have to give each response a
        // hash.
        const at = connection.under.indexOf(response);
        if (at === connection.under.length - 1) connection.under.pop();
        else if (at !== -1) connection.under.splice(at, 1);
        // A connection that was given up closes by itself, after its last words.
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
 * Gives up a connection after a request that was refused, or a single request that never came in
 * whole: no more is read of it.
 */
export function markClosing(given: Socket | IncomingMessage): void {
  condemned.add(given);
}

/** Whether a connection, or a request, was given up. */
export function isClosing(given: Socket | IncomingMessage): boolean {
  return condemned.has(given);
}
