import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { problemResponse } from '../../http/problem.ts';
import { lingerMs } from '../limits.ts';
import { serializeLast } from '../connection/refuse.ts';

/** The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const handshake = 0x16;

/**
 * Inspects the first byte of each connection before TLS: a client that sends plain HTTP gets a
 * readable response instead of a broken connection. A client that sends nothing within `patienceMs`
 * is disconnected. `closeAll` closes connections without an exchange.
 */
export function guardHandshake(server: Server, patienceMs: number): { closeAll(): void } {
  // Node's own listener starts TLS on a connection.
  const begin = server.listeners('connection');
  const raw = new Map<string, Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    raw.set(name, socket);
    socket.once('close', () => raw.delete(name));
    peek(socket, patienceMs, () => begin.forEach((listener) => void listener.call(server, socket)));
  });
  server.on('secureConnection', (socket) => raw.delete(nameOf(socket)));
  // A failed handshake needs no response. Node would treat it as a malformed request.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_fault, socket) => void socket.destroy());
  return { closeAll: () => raw.forEach((socket) => socket.destroy()) };
}

/** The sockets below and above TLS have the same remote address. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${String(remotePort)}`;
}

function peek(socket: Socket, patienceMs: number, begin: () => void): void {
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
  socket.on('error', () => undefined);
  socket.once('close', () => clearTimeout(timer));
  socket.once('readable', () => {
    clearTimeout(timer);
    const chunk: unknown = socket.read();
    if (!(chunk instanceof Uint8Array)) return void socket.destroy();
    if (chunk[0] !== handshake) return refusePlain(socket);
    socket.unshift(chunk);
    begin();
  });
}

/** Discards input for a short time, so that the response is not lost to a reset. */
function refusePlain(socket: Socket): void {
  socket.end(
    serializeLast(
      problemResponse(
        400,
        'This port speaks HTTPS, and the request came without. Write https:// in its URL.',
      ),
    ),
  );
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
