import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../http/message.ts';

/** What TLS found out about the certificate of a client that was asked for one. */
export function certificateOf(socket: Socket): ClientCertificate {
  const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
  // Node answers an empty object where there is none.
  if (!(socket instanceof TLSSocket) || peer === undefined || Object.keys(peer).length === 0) return { kind: 'missing' };
  return socket.authorized ? { kind: 'verified' } : { kind: 'untrusted', reason: String(socket.authorizationError) };
}
