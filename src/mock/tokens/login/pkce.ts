import { base64url } from '../signing/base64url.ts';

/** How a challenge is made from its verifier (RFC 7636, section 4.2). */
export const challengeMethods = ['S256', 'plain'] as const;
export type ChallengeMethod = (typeof challengeMethods)[number];

/**
 * Challenges and verifiers are 43 to 128 unreserved characters (RFC 7636, sections 4.1 and 4.2).
 */
export function isChallenge(text: string): boolean {
  return /^[\w.~-]{43,128}$/.test(text);
}

/** Whether a word names one of the methods. */
export function isChallengeMethod(text: string): text is ChallengeMethod {
  return challengeMethods.some((method) => method === text);
}

/** Whether a verifier is the one that a challenge was made from (RFC 7636, section 4.6). */
export async function meetsChallenge(
  verifier: string,
  challenge: string,
  method: ChallengeMethod,
): Promise<boolean> {
  return (method === 'plain' ? verifier : await hashText(verifier)) === challenge;
}

/** The SHA-256 of a text, in base64url. */
async function hashText(text: string): Promise<string> {
  return base64url(await digest(text));
}

/**
 * The left half of a token's hash, by which an ID token vouches for it (OpenID Connect Core,
 * section 3.1.3.6).
 */
export async function hashHalf(token: string): Promise<string> {
  return base64url((await digest(token)).subarray(0, 16));
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
