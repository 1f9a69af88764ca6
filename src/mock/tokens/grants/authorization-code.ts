import type { JsonObject } from '../../../json/value.ts';
import { issueTokens } from '../issue-tokens.ts';
import { refuseOAuth, type OAuthRefusal } from '../oauth-refusal.ts';
import { isChallengeMethod, meetsChallenge } from '../login/authorization-request.ts';
import { readClaims, textOf, type TokenClaims } from '../signing/token-signer.ts';
import { secondsOf } from '../token-visit.ts';
import type { AnswerGrant, TokenRequest } from './grant.ts';

/**
 * Tokens for the code that a person brought back (RFC 6749, section 4.1.3; RFC 7636, section 4.6).
 * A code is good for one time.
 */
export const grantByCode: AnswerGrant = async (request) => {
  const { visit, client, fields } = request;
  const code = fields.get('code');
  if (code === undefined) return refuseOAuth('invalid_request', 'The parameter code is missing.');
  const claims = await readCode(code, request);
  if ('kind' in claims) return claims;
  if (!visit.parts.ledger.spend(claims.id)) return refuseUsed(claims, request);
  return issueTokens(
    {
      clientId: client.id,
      person: claims.person,
      scopes: claims.scopes,
      grant: claims.grant,
      nonce: textOf(claims.all, 'nonce'),
    },
    visit,
  );
};

async function readCode(code: string, request: TokenRequest): Promise<TokenClaims | OAuthRefusal> {
  const { visit, client, fields } = request;
  const reading = await visit.parts.signer.read(code);
  if (reading.kind === 'foreign' || reading.type !== 'vouch-code+jwt')
    return refuseOAuth('invalid_grant', 'This is no code that this mock issued.');
  const claims = readClaims(reading);
  if (claims.clientId !== client.id)
    return refuseOAuth('invalid_grant', 'The code was issued to another client.');
  if (claims.expires <= secondsOf(visit.now))
    return refuseOAuth('invalid_grant', 'The code expired. Log in again.');
  if (fields.get('redirect_uri') !== textOf(claims.all, 'redirect_uri'))
    return refuseOAuth(
      'invalid_grant',
      'The redirect_uri must be the same as in the request for the code.',
    );
  return (await judgeVerifier(claims.all, fields.get('code_verifier'))) ?? claims;
}

async function judgeVerifier(
  claims: JsonObject,
  verifier: string | undefined,
): Promise<OAuthRefusal | undefined> {
  const challenge = textOf(claims, 'code_challenge');
  const method = textOf(claims, 'code_challenge_method') ?? 'plain';
  if (challenge === undefined) {
    // RFC 9700, section 2.1.1: whoever cut the challenge out of the request for the code is noticed
    // here.
    return verifier === undefined
      ? undefined
      : refuseOAuth(
          'invalid_grant',
          'There was no code_challenge in the request for the code, so there is no ' +
            'code_verifier now.',
        );
  }
  if (verifier === undefined)
    return refuseOAuth(
      'invalid_grant',
      'The parameter code_verifier is missing; the request for the code had a code_challenge.',
    );
  if (isChallengeMethod(method) && (await meetsChallenge(verifier, challenge, method)))
    return undefined;
  return refuseOAuth(
    'invalid_grant',
    'The code_verifier is not the one that the code_challenge was made from.',
  );
}

/** RFC 6749, section 4.1.2: what came of a code that is used twice is revoked. */
function refuseUsed({ grant }: TokenClaims, { visit }: TokenRequest): OAuthRefusal {
  visit.parts.ledger.revoke(grant);
  return refuseOAuth(
    'invalid_grant',
    'The code was used before; it is good for one time. Log in again.',
  );
}
