import type { JsonObject } from '../../../json/value.ts';
import { grantScopes } from '../declared-scopes.ts';
import { issueTokens } from '../issue-tokens.ts';
import { isChallengeMethod, meetsChallenge } from '../login/authorization-request.ts';
import { admitPerson, type Person } from '../login/find-person.ts';
import { type OAuthRefusal, refuseOAuth } from '../oauth-refusal.ts';
import type { Client, Fields } from '../read-client.ts';
import { readClaims, textOf, type TokenClaims, type TokenType } from '../signing/token-signer.ts';
import { makeName, secondsOf, type TokenVisit } from '../token-options.ts';

/**
 * Exchanges a refresh token for a new access token; the refresh token becomes invalid (RFC 6749,
 * section 6; RFC 9700, section 4.14.2).
 */
const grantByRefreshToken: AnswerGrant = async (request) => {
  const { visit, client, fields } = request;
  const token = fields.get('refresh_token');
  if (token === undefined)
    return refuseOAuth('invalid_request', 'The parameter refresh_token is missing.');
  const claims = await readHeld(token, 'vouch-refresh+jwt', 'refresh token', request);
  if ('kind' in claims) return claims;
  if (visit.parts.ledger.isRevoked(claims.id, claims.grant))
    return refuseOAuth('invalid_grant', 'The refresh token was revoked. Log in again.');
  const scopes = narrow(fields.get('scope'), claims.scopes);
  if ('kind' in scopes) return scopes;
  if (!visit.parts.ledger.spend(claims.id)) return refuseUsedRefreshToken(claims, request);
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

/** The claims of a refresh token or a code that this client holds, and that has not expired. */
async function readHeld(
  token: string,
  type: TokenType,
  noun: string,
  { visit, client }: TokenRequest,
): Promise<TokenClaims | OAuthRefusal> {
  const reading = await visit.parts.signer.read(token);
  if (reading.kind === 'foreign' || reading.type !== type)
    return refuseOAuth('invalid_grant', `This is no ${noun} that this mock issued.`);
  const claims = readClaims(reading);
  if (claims.clientId !== client.id)
    return refuseOAuth('invalid_grant', `The ${noun} was issued to another client.`);
  if (claims.expires <= secondsOf(visit.now))
    return refuseOAuth('invalid_grant', `The ${noun} expired. Log in again.`);
  return claims;
}

/** A refresh token that is used twice was stolen: all tokens of its grant are revoked. */
function refuseUsedRefreshToken({ grant }: TokenClaims, { visit }: TokenRequest): OAuthRefusal {
  visit.parts.ledger.revoke(grant);
  return refuseOAuth(
    'invalid_grant',
    'The refresh token was used before; it is valid once, and each response ' +
      'contains the next one. Log in again.',
  );
}

/** Narrows the scopes of a refresh token; more scopes are refused. */
function narrow(
  requested: string | undefined,
  held: readonly string[],
): readonly string[] | OAuthRefusal {
  const wanted = [...new Set((requested ?? '').split(' ').filter((scope) => scope !== ''))];
  const beyond = wanted.filter((scope) => !held.includes(scope));
  if (beyond.length > 0)
    return refuseOAuth(
      'invalid_scope',
      `The refresh token does not hold ${beyond.join(' ').slice(0, 200)}. It ` +
        `holds: ${held.join(' ').slice(0, 500)}.`,
    );
  return wanted.length === 0 ? held : wanted;
}

/** Authenticates a person by name and password (RFC 6749, section 4.3). */
const grantByPassword: AnswerGrant = async (request) => {
  const { visit, fields } = request;
  const [username, password] = [fields.get('username'), fields.get('password')];
  if (username === undefined || password === undefined)
    return refuseOAuth(
      'invalid_request',
      `The parameter ${username === undefined ? 'username' : 'password'} is missing.`,
    );
  const person = admitPerson(username, password, visit.parts.settings);
  if (person === undefined)
    return refuseOAuth(
      'invalid_grant',
      'The user and password are not known here. Send those of one of mock.tokens.users.',
    );
  return grantAnew(request, person);
};

/** Issues a token to a client itself (RFC 6749, section 4.4), without a refresh token. */
const grantToClient: AnswerGrant = async (request) => {
  const { known } = request.client;
  if (known !== undefined && known.secret === undefined)
    return refuseOAuth(
      'unauthorized_client',
      'A client without a secret cannot get a token for itself.',
    );
  return grantAnew(request);
};

/** Issues tokens for the scopes of a request, as far as its client and its person may have them. */
async function grantAnew(
  { visit, client, fields }: TokenRequest,
  person?: Person,
): Promise<JsonObject | OAuthRefusal> {
  const scopes = grantScopes(fields.get('scope'), {
    declared: visit.parts.declared(),
    limits: [client.known?.scopes, person?.scopes],
  });
  if ('kind' in scopes) return scopes;
  const grant = makeName(visit.parts);
  return issueTokens({ clientId: client.id, person: person?.name, scopes, grant }, visit);
}

/**
 * Exchanges an authorization code for tokens, once (RFC 6749, section 4.1.3; RFC 7636, section
 * 4.6).
 */
const grantByCode: AnswerGrant = async (request) => {
  const { visit, client, fields } = request;
  const code = fields.get('code');
  if (code === undefined) return refuseOAuth('invalid_request', 'The parameter code is missing.');
  const claims = await readHeld(code, 'vouch-code+jwt', 'code', request);
  if ('kind' in claims) return claims;
  if (fields.get('redirect_uri') !== textOf(claims.all, 'redirect_uri'))
    return refuseOAuth(
      'invalid_grant',
      'The redirect_uri must be the same as in the request for the code.',
    );
  const refusal = await judgeVerifier(claims.all, fields.get('code_verifier'));
  if (refusal !== undefined) return refusal;
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

async function judgeVerifier(
  claims: JsonObject,
  verifier: string | undefined,
): Promise<OAuthRefusal | undefined> {
  const challenge = textOf(claims, 'code_challenge');
  const method = textOf(claims, 'code_challenge_method') ?? 'plain';
  if (challenge === undefined) {
    // RFC 9700, section 2.1.1: detects a PKCE downgrade, in which the challenge was removed from
    // the request for the code.
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

/** RFC 6749, section 4.1.2: tokens of a code that is used twice are revoked. */
function refuseUsed({ grant }: TokenClaims, { visit }: TokenRequest): OAuthRefusal {
  visit.parts.ledger.revoke(grant);
  return refuseOAuth(
    'invalid_grant',
    'The code was used before; it is good for one time. Log in again.',
  );
}

/** Every grant by its `grant_type`. */
export const grants: ReadonlyMap<string, AnswerGrant> = new Map([
  ['authorization_code', grantByCode],
  ['client_credentials', grantToClient],
  ['password', grantByPassword],
  ['refresh_token', grantByRefreshToken],
]);

export interface TokenRequest {
  readonly visit: TokenVisit;
  readonly client: Client;
  readonly fields: Fields;
}

/** Answers one `grant_type`: the members of the token response, or an error. */
export type AnswerGrant = (
  request: TokenRequest,
) => Promise<JsonObject | OAuthRefusal> | JsonObject | OAuthRefusal;
