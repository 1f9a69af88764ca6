import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { condemn } from './condemned.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly exchanges: Set<Exchange>;
  givenUp: boolean;
}

/** The open connections of a server, and the exchanges that are under way on each. */
export interface Connections {
  /** Notes an exchange until its response is sent or its connection is gone. False where it comes too late to be answered. */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /** Gives up a connection: what has come in whole is still answered, and nothing else is read. False where it was already. */
  giveUp(socket: Socket): boolean;
  /** Resolves when every request that has come in whole on this connection is answered, or the connection is gone. */
  answered(socket: Socket): Promise<void>;
  /** Closes what is idle now, and each other connection as soon as its last exchange is over. */
  drain(): void;
  /** Closes every connection at once. */
  destroy(): void;
}

/** Follows the connections of a server. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    open.set(socket, { exchanges: new Set(), givenUp: false });
    socket.once('close', () => open.delete(socket));
  });

  const settle = (socket: Socket, exchange: Exchange): void => {
    const connection = open.get(socket);
    connection?.exchanges.delete(exchange);
    // A connection that was given up closes by itself, after its last words.
    if (draining && connection?.exchanges.size === 0 && !connection.givenUp) socket.destroySoon();
  };

  return {
    begin(request, response) {
      const { socket } = request;
      const connection = open.get(socket);
      if (connection === undefined || connection.givenUp || draining) return false;
      const exchange = { request, response };
      connection.exchanges.add(exchange);
      response.once('close', () => settle(socket, exchange));
      return true;
    },
    giveUp(socket) {
      const connection = open.get(socket);
      if (connection === undefined || connection.givenUp) return false;
      connection.givenUp = true;
      for (const { request } of connection.exchanges) if (!request.complete) condemn(request);
      return true;
    },
    async answered(socket) {
      const exchanges = [...(open.get(socket)?.exchanges ?? [])];
      await Promise.all(exchanges.filter(({ request }) => request.complete).map(({ response }) => over(socket, response)));
    },
    drain() {
      draining = true;
      for (const [socket, { exchanges }] of open) endAfter(socket, [...exchanges].at(-1)?.response);
    },
    destroy() {
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
