import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { problemResponse } from '../../http/problem.ts';
import { lingerMs } from '../limits.ts';
import { serializeLast } from '../connection/refuse.ts';

/** The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const handshake = 0x16;

/**
 * Looks at the first byte of each connection before TLS does: who speaks plain HTTP to this port
 * reads that, instead of a connection that breaks. Who says nothing within `patienceMs` is let go.
 * What has no exchange yet is closed by `closeAll`.
 */
export function guardHandshake(server: Server, patienceMs: number): { closeAll(): void } {
  // Node's own listener is the one that begins TLS on a connection.
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
  // A handshake that fails has nobody to answer to. Node would hand it on as a malformed request.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_fault, socket) => void socket.destroy());
  return { closeAll: () => raw.forEach((socket) => socket.destroy()) };
}

/** Both ends of a connection have the same remote address, before TLS and within it. */
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

/**
 * What came is not read, and what comes is thrown away for a moment, so that the answer is not lost
 * to a reset.
 */
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
