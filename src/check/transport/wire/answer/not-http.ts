import type { Fault } from './breaches.ts';
import { showBytes } from './show-bytes.ts';

/**
 * What an answer is that does not begin with a status line of HTTP/1: another protocol, or the next
 * one.
 */
export function notHttp(bytes: Uint8Array): Fault {
  // A frame of HTTP/2 begins with its length; the first one that a server sends is SETTINGS, of
  // type 4 on stream 0 (RFC 9113, section 3.4).
  const frame =
    bytes.length >= 9 &&
    bytes[0] === 0 &&
    bytes[3] === 4 &&
    bytes[5] === 0 &&
    bytes[6] === 0 &&
    bytes[7] === 0 &&
    bytes[8] === 0;
  const preface = Buffer.from(bytes.subarray(0, 16)).toString('latin1').startsWith('PRI * HTTP/2');
  if (frame || preface)
    return {
      kind: 'protocol.http2',
      message: `the answer is HTTP/2, and the request was HTTP/1.1: it begins with ${showBytes(bytes)}.`,
    };
  return {
    kind: 'protocol.not-http',
    message: `the answer is not HTTP/1.1: it begins with ${showBytes(bytes)}.`,
  };
}
