import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { VouchError } from '../../errors.ts';

const shortest = 16;

/** Makes a token for the control API: 192 random bits, in characters that are valid in a header. */
export function makeControlToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Checks a token. Throws `config-invalid` if it is too short to be secure, or invalid as a bearer
 * token.
 */
export function checkControlToken(token: string): string {
  if (token.length >= shortest && /^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token;
  throw new VouchError(
    'config-invalid',
    `The control token must have at least ${shortest} letters, digits or -._~+/.`,
    { hint: 'Leave it to makeControlToken().' },
  );
}

/** Compares two tokens in constant time. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
