import { headerValue, type HttpResponse } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { type ChallengeFacts, writeChallenges } from '../security/authenticate.ts';
import { findGrant } from '../security/credentials.ts';
import { grants } from './grants/index.ts';
import { describePerson } from './login/find-person.ts';
import {
  emptyResponse,
  isRefusal,
  jsonResponse,
  type OAuthRefusal,
  refusalResponse,
  refuseOAuth,
} from './oauth-refusal.ts';
import { type Client, readBodyFields, readClient } from './read-client.ts';
import { readClaims, type TokenClaims, type TokenSigner } from './signing/token-signer.ts';
import type { Ledger } from './token-memory.ts';
import { secondsOf, type TokenVisit } from './token-options.ts';
import { isOwnIssuer } from './token-verdict.ts';

/** The token endpoint (RFC 6749, section 3.2). */
export async function answerTokenRequest(visit: TokenVisit): Promise<HttpResponse> {
  const fields = readBodyFields(visit.request);
  if (fields.kind === 'refusal') return refusalResponse(fields);
  const type = fields.get('grant_type');
  if (type === undefined)
    return refusalResponse(
      refuseOAuth(
        'invalid_request',
        `The parameter grant_type is missing. There are: ${[...grants.keys()].join(', ')}.`,
      ),
    );
  const grant = grants.get(type);
  if (grant === undefined)
    return refusalResponse(
      refuseOAuth(
        'unsupported_grant_type',
        `The grant_type is not known. There are: ${[...grants.keys()].join(', ')}.`,
      ),
    );
  const client = readClient(visit.request, fields, visit.parts.settings);
  if (client.kind === 'refusal') return refusalResponse(client);
  const answer = await grant({ visit, client, fields });
  return isRefusal(answer) ? refusalResponse(answer) : jsonResponse(answer);
}

/**
 * Revokes a token; a refresh token with its whole grant. An unknown token counts as revoked (RFC
 * 7009, section 2).
 */
export async function revokeToken(visit: TokenVisit): Promise<HttpResponse> {
  const query = readTokenRequest(visit);
  if (query.kind === 'refusal') return refusalResponse(query);
  const { signer, ledger } = visit.parts;
  const reading = await signer.read(query.token);
  if (reading.kind === 'foreign') return emptyResponse(200);
  const claims = readClaims(reading);
  if (claims.clientId !== query.client.id && visit.parts.settings.clients !== undefined)
    return refusalResponse(
      refuseOAuth('invalid_client', 'The token was issued to another client.'),
    );
  ledger.revoke(reading.type === 'vouch-refresh+jwt' ? claims.grant : claims.id);
  return emptyResponse(200);
}

/** The state of a token (RFC 7662, section 2.2). Configured keys count as tokens without expiry. */
export async function introspectToken(visit: TokenVisit): Promise<HttpResponse> {
  const query = readTokenRequest(visit);
  if (query.kind === 'refusal') return refusalResponse(query);
  const key = findGrant(query.token, visit.parts.keys);
  if (key !== undefined)
    return jsonResponse({
      active: true,
      token_type: 'Bearer',
      scope: (key.scopes === 'all' ? visit.parts.declared().names : key.scopes).join(' '),
    });
  const access = await judgeAccess(query.token, visit.now, visit.parts);
  if (access.kind === 'good') return jsonResponse(describeToken(access.claims, 'Bearer'));
  const refresh = await readRefresh(query.token, visit);
  return jsonResponse(
    refresh === undefined ? { active: false } : describeToken(refresh, 'refresh_token'),
  );
}

async function readRefresh(
  token: string,
  { parts, now }: TokenVisit,
): Promise<TokenClaims | undefined> {
  const reading = await parts.signer.read(token);
  if (reading.kind === 'foreign' || reading.type !== 'vouch-refresh+jwt') return undefined;
  const claims = readClaims(reading);
  const live =
    claims.expires > secondsOf(now) &&
    !parts.ledger.isRevoked(claims.id, claims.grant) &&
    !parts.ledger.isSpent(claims.id);
  return live ? claims : undefined;
}

function describeToken(
  { all, person, clientId, subject, scopes, issuer, id, issued, expires }: TokenClaims,
  type: string,
): Parameters<typeof jsonResponse>[0] {
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    ...(person === undefined ? {} : { username: person }),
    token_type: type,
    exp: expires,
    iat: issued,
    sub: subject,
    aud: all['aud'] ?? '',
    iss: issuer,
    jti: id,
  };
}

interface TokenRequest {
  readonly kind: 'query';
  readonly token: string;
  readonly client: Client;
}

function readTokenRequest({ request, parts }: TokenVisit): TokenRequest | OAuthRefusal {
  const fields = readBodyFields(request);
  if (fields.kind === 'refusal') return fields;
  const client = readClient(request, fields, parts.settings);
  if (client.kind === 'refusal') return client;
  const token = fields.get('token');
  return token === undefined
    ? refuseOAuth('invalid_request', 'The parameter token is missing.')
    : { kind: 'query', token, client };
}

/** The claims about the token's person (OpenID Connect Core, section 5.3). */
export async function showUserInfo(visit: TokenVisit): Promise<HttpResponse> {
  const [, token] =
    /^bearer +(\S+)$/i.exec(headerValue(visit.request.headers, 'authorization') ?? '') ?? [];
  if (token === undefined) return refuse(401, {});
  const access = await judgeAccess(token, visit.now, visit.parts);
  if (access.kind !== 'good')
    return refuse(401, { error: 'invalid_token', description: access.reason });
  const { person, scopes } = access.claims;
  if (person === undefined || !scopes.includes('openid'))
    return refuse(403, {
      error: 'insufficient_scope',
      description: 'The token must hold the scope openid, and belong to a person',
      scopes: ['openid'],
    });
  return jsonResponse(describePerson(person, scopes));
}

const bearer = [
  [{ scheme: { kind: 'bearer', name: 'token', source: 'http', pointer: '' }, scopes: [] }],
] as const;

/** RFC 6750, section 3. */
function refuse(status: number, facts: Omit<ChallengeFacts, 'realm'>): HttpResponse {
  const headers = writeChallenges(bearer, { realm: 'vouch tokens', ...facts });
  const body = {
    error: facts.error ?? 'invalid_request',
    error_description: facts.description ?? 'Send the access token as Authorization: Bearer TOKEN.',
  };
  return jsonResponse(body, { status, headers });
}

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
