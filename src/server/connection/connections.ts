import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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

/** The source of the connections of a server. */
export interface ConnectionSource {
  /** `connection`, or for TLS `secureConnection`: the end of a handshake. */
  readonly event: 'connection' | 'secureConnection';
  /** Closes connections that have not reached that event. */
  closeAll(): void;
}

/** Tracks the connections of a server. */
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
