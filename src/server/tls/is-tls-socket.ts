import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * Whether a connection speaks TLS. What it is called tells it: to load `node:tls` would cost the
 * start of every mock that has none.
 */
export function isTlsSocket(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}
