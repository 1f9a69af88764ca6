import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { VouchError } from '../../errors.ts';

const shortest = 16;

/**
 * A token for the control API of one start: 192 random bits, in characters that a header may hold.
 */
export function makeControlToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * The token as it is. Throws `config-invalid` where it could be guessed, or could not be sent as a
 * bearer token.
 */
export function checkControlToken(token: string): string {
  if (token.length >= shortest && /^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token;
  throw new VouchError(
    'config-invalid',
    `The control token must have at least ${shortest} letters, digits or -._~+/.`,
    {
      hint: 'Leave it to makeControlToken().',
    },
  );
}

/** Whether two tokens are the same, in a time that does not tell how much of them is. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
