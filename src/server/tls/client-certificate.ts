import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../http/message.ts';

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
