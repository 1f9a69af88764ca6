import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { headerValue, type HeaderList } from '../../http/message.ts';

const codings: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

/**
 * The content codings in which bodies can be sent, the plainest first (RFC 9110, section 8.4.1).
 */
export const bodyCodings: readonly string[] = Object.keys(codings);

/**
 * A body in the coding that the request's own `Content-Encoding` names; as it is where that names
 * none, or one that is not known.
 */
export function codeBody(body: Uint8Array, headers: HeaderList): Uint8Array {
  const coding =
    body.length === 0 ? undefined : headerValue(headers, 'content-encoding')?.toLowerCase();
  return coding === undefined || !Object.hasOwn(codings, coding)
    ? body
    : (codings[coding]?.(body) ?? body);
}
