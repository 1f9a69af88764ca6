import { quoteExcerpt } from '../../json/json-problem.ts';
import type { Ledger } from './token-memory.ts';
import { isOwnIssuer } from './token-verdict.ts';
import { readClaims, type TokenClaims, type TokenSigner } from './signing/token-signer.ts';
import { secondsOf } from './token-options.ts';

/** A valid access token, or why a token is invalid. */
export type AccessReading =
  | { readonly kind: 'good'; readonly claims: TokenClaims }
  | {
      readonly kind: 'spoilt' | 'foreign' /** A clause: `The access token expired at …`. */;
      readonly reason: string;
    };

const otherTypes: Readonly<Record<string, string>> = {
  JWT: 'an ID token',
  'vouch-refresh+jwt': 'a refresh token',
  'vouch-code+jwt': 'an authorization code',
};

/**
 * Verifies an access token: signature, issuer, use, lifetime and revocation (RFC 9068, section 4).
 * Never throws.
 */
export async function judgeAccess(
  token: string,
  now: Date,
  { signer, ledger }: { readonly signer: TokenSigner; readonly ledger: Ledger },
): Promise<AccessReading> {
  const reading = await signer.read(token);
  if (reading.kind === 'foreign') return reading;
  if (reading.type !== 'at+jwt')
    return {
      kind: 'spoilt',
      reason:
        `This is ${otherTypes[reading.type] ?? 'a token of another kind'}, and ` +
        'not an access token',
    };
  const claims = readClaims(reading);
  if (!isOwnIssuer(claims.issuer))
    return {
      kind: 'foreign',
      reason: `The token was issued by ${quoteExcerpt(claims.issuer)}, not by this mock`,
    };
  if (claims.expires <= secondsOf(now))
    return { kind: 'spoilt', reason: `The access token expired at ${timeOf(claims.expires)}` };
  return ledger.isRevoked(claims.id, claims.grant)
    ? { kind: 'spoilt', reason: 'The access token was revoked' }
    : { kind: 'good', claims };
}

/** A number outside the range of dates is not formatted. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
