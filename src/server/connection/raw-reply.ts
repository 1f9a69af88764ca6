import type { Socket } from 'node:net';
import type { HttpResponse } from '../../http/message.ts';
import { statusTitle } from '../../http/problem.ts';
import { isCondemned } from './condemned.ts';
import type { Connections } from './connections.ts';
import { lingerMs } from '../limits.ts';

/**
 * Answers a connection for which Node made no response, once the requests before are answered, and
 * closes it. Never throws. A connection that is being closed already is left alone.
 */
export async function replyAndClose(
  socket: Socket,
  reply: HttpResponse,
  connections: Connections,
): Promise<void> {
  if (isCondemned(socket) || !connections.giveUp(socket)) return;
  // For CONNECT, Node takes its own listener away, and an error without a listener would end the
  // process.
  socket.on('error', () => undefined);
  await connections.answered(socket);
  // The last of those answers may have closed the connection, and may still be on its way.
  if (!socket.writable) return;
  socket.end(serializeLast(reply));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** An HTTP/1.1 message with its length, and `Connection: close` (RFC 9112, section 9.6). */
export function serializeLast({ status, headers, body }: HttpResponse): Uint8Array {
  const fields = [
    ...headers,
    ['Date', new Date().toUTCString()],
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ];
  const lines = [
    `HTTP/1.1 ${status} ${statusTitle(status)}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
