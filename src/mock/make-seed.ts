import type { HttpRequest } from '../http/message.ts';

/**
 * A text that stays the same as long as the request does: what is generated for it is then the same
 * too.
 */
export function makeSeed(
  seed: string,
  operation: string,
  { method, target, body }: HttpRequest,
): string {
  // HEAD announces the length of what GET would answer.
  const asked = method === 'HEAD' ? 'GET' : method;
  return `${seed} ${operation} ${asked} ${target} ${String(hashBytes(body))}`;
}

/** FNV-1a in 32 bits (RFC 9923): small, and good enough to tell bodies apart. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  // An index takes half the time of an iterator.
  for (let at = 0; at < bytes.length; at += 1)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
