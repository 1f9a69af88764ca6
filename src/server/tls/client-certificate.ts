import type { Socket } from 'node:net';
import type { ClientCertificate } from '../../http/message.ts';
import { isTlsSocket } from './is-tls-socket.ts';

/** What TLS found out about the certificate of a client that was asked for one. */
export function certificateOf(socket: Socket): ClientCertificate {
  // Node answers an empty object where there is none.
  if (!isTlsSocket(socket) || Object.keys(socket.getPeerCertificate() ?? {}).length === 0)
    return { kind: 'missing' };
  return socket.authorized
    ? { kind: 'verified' }
    : { kind: 'untrusted', reason: String(socket.authorizationError) };
}
