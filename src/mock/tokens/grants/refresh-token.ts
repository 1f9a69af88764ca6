import { issueTokens } from '../issue-tokens.ts';
import { refuseOAuth, type OAuthRefusal } from '../oauth-refusal.ts';
import { readClaims, type TokenClaims } from '../signing/token-signer.ts';
import { secondsOf } from '../token-visit.ts';
import type { AnswerGrant, TokenRequest } from './grant.ts';

/**
 * A new access token for a refresh token, which is used up by that (RFC 6749, section 6; RFC 9700,
 * section 4.14.2).
 */
export const grantByRefreshToken: AnswerGrant = async (request) => {
  const { visit, client, fields } = request;
  const token = fields.get('refresh_token');
  if (token === undefined)
    return refuseOAuth('invalid_request', 'The parameter refresh_token is missing.');
  const claims = await readRefreshToken(token, request);
  if ('kind' in claims) return claims;
  const scopes = narrow(fields.get('scope'), claims.scopes);
  if ('kind' in scopes) return scopes;
  if (!visit.parts.ledger.spend(claims.id)) return refuseUsed(claims, request);
  return issueTokens(
    {
      clientId: client.id,
      person: claims.person,
      scopes,
      held: claims.scopes,
      grant: claims.grant,
    },
    visit,
  );
};

async function readRefreshToken(
  token: string,
  { visit, client }: TokenRequest,
): Promise<TokenClaims | OAuthRefusal> {
  const reading = await visit.parts.signer.read(token);
  if (reading.kind === 'foreign' || reading.type !== 'vouch-refresh+jwt')
    return refuseOAuth('invalid_grant', 'This is no refresh token that this mock issued.');
  const claims = readClaims(reading);
  if (claims.clientId !== client.id)
    return refuseOAuth('invalid_grant', 'The refresh token was issued to another client.');
  if (claims.expires <= secondsOf(visit.now))
    return refuseOAuth('invalid_grant', 'The refresh token expired. Log in again.');
  if (visit.parts.ledger.isRevoked(claims.id, claims.grant))
    return refuseOAuth('invalid_grant', 'The refresh token was revoked. Log in again.');
  return claims;
}

/**
 * A token that comes a second time was stolen from the first or the second who sent it: nobody
 * keeps what came of it.
 */
function refuseUsed({ grant }: TokenClaims, { visit }: TokenRequest): OAuthRefusal {
  visit.parts.ledger.revoke(grant);
  return refuseOAuth(
    'invalid_grant',
    'The refresh token was used before; it is good for one time, and each ' +
      'answer holds the next one. Log in again.',
  );
}

/** Fewer scopes may be asked for, and never more. */
function narrow(
  asked: string | undefined,
  held: readonly string[],
): readonly string[] | OAuthRefusal {
  const wanted = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  const beyond = wanted.filter((scope) => !held.includes(scope));
  if (beyond.length > 0)
    return refuseOAuth(
      'invalid_scope',
      `The refresh token does not hold ${beyond.join(' ').slice(0, 200)}. It ` +
        `holds: ${held.join(' ').slice(0, 500)}.`,
    );
  return wanted.length === 0 ? held : wanted;
}
