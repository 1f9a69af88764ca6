import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../http/message.ts';

/** What TLS found out about the certificate of a client that was asked for one. */
export function certificateOf(socket: Socket): ClientCertificate {
  // Node answers an empty object where there is none.
  if (!isTlsSocket(socket) || Object.keys(socket.getPeerCertificate() ?? {}).length === 0)
    return { kind: 'missing' };
  return socket.authorized
    ? { kind: 'verified' }
    : { kind: 'untrusted', reason: String(socket.authorizationError) };
}

/**
 * Whether a connection speaks TLS. What it is called tells it: to load `node:tls` would cost the
 * start of every mock that has none.
 */
export function isTlsSocket(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}
