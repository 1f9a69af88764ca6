import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject } from '../../json/value.ts';
import { findGrant } from '../security/credentials.ts';
import { type ChallengeFacts, writeChallenges } from '../security/authenticate.ts';
import { declaredScopes, type DeclaredScopes, identityScopes } from './declared-scopes.ts';
import { grants } from './grants/index.ts';
import { challengeMethods, responseTypes } from './login/authorization-request.ts';
import { authorize } from './login/authorize.ts';
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
import { algorithm, readClaims, type TokenClaims, TokenSigner } from './signing/token-signer.ts';
import { type Ledger, TokenMemory } from './token-memory.ts';
import {
  type AnswerTokenVisit,
  secondsOf,
  type TokenParts,
  type TokenServiceParts,
  type TokenVisit,
} from './token-options.ts';
import { isOwnIssuer, tokenPrefix, type TokenVerdict } from './token-verdict.ts';

/** The metadata of the token service (OpenID Connect Discovery, section 3; RFC 8414, section 2). */
function showDiscovery({ issuer, parts }: TokenVisit): HttpResponse {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  const metadata: JsonObject = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks.json`,
    scopes_supported: [...new Set([...identityScopes, ...parts.declared().names])],
    response_types_supported: [...responseTypes],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...grants.keys(), 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: [...challengeMethods],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    claims_supported: ['sub', 'name', 'preferred_username', 'email', 'email_verified'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_uri_parameter_supported: false,
  };
  return jsonResponse(metadata);
}

/** The keys for verifying tokens (RFC 7517, section 5). */
async function showKeys({ parts }: TokenVisit): Promise<HttpResponse> {
  const { keys } = await parts.signer.keySet();
  return jsonResponse({ keys: keys.map((key) => ({ ...key })) });
}

/** One endpoint. A GET changes nothing. */
export interface TokenEndpoint {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly answer: AnswerTokenVisit;
}

/** Every endpoint by its path below the prefix. */
export const endpoints = {
  '/token': { methods: ['POST'], answer: answerTokenRequest },
  '/authorize': { methods: ['GET', 'POST'], answer: authorize },
  '/revoke': { methods: ['POST'], answer: revokeToken },
  '/introspect': { methods: ['POST'], answer: introspectToken },
  '/jwks.json': { methods: ['GET'], answer: showKeys },
  '/userinfo': { methods: ['GET', 'POST'], answer: showUserInfo },
  '/.well-known/openid-configuration': { methods: ['GET'], answer: showDiscovery },
  '/.well-known/oauth-authorization-server': { methods: ['GET'], answer: showDiscovery },
} as const satisfies Readonly<Record<string, TokenEndpoint>>;
/** The paths of the endpoints below their prefix. */
export type EndpointPath = keyof typeof endpoints;

/** A request to one of the endpoints, with the client's name of the host. */
export interface TokenEndpointRequest {
  readonly request: HttpRequest;
  /** The path without the query, undecoded. */
  readonly path: string;
  /** Scheme and host. */
  readonly origin: string;
  /** The endpoint at a path outside of the prefix. */
  readonly endpoint: EndpointPath | undefined;
}

/** Handles requests to the endpoints, and verifies the issued tokens. */
export class TokenEndpoints {
  readonly #parts: TokenParts;
  readonly #clock: () => Date;
  #declared: DeclaredScopes | undefined;

  constructor({ contract, settings, random, keys, memory, clock }: TokenServiceParts) {
    const { secret, ledger } = memory ?? new TokenMemory(random);
    const signer = new TokenSigner(settings.secret ?? secret);
    this.#clock = clock;
    this.#parts = {
      contract,
      settings,
      random,
      keys,
      signer,
      ledger,
      declared: () => (this.#declared ??= declaredScopes(contract)),
    };
  }

  async answer({
    request,
    path,
    origin,
    endpoint: own,
  }: TokenEndpointRequest): Promise<HttpResponse> {
    const endpoint = endpointAt.get(own ?? path.slice(tokenPrefix.length));
    if (endpoint === undefined) {
      const known = [...endpointAt.keys()].join(', ');
      return jsonResponse(
        {
          error: 'not_found',
          error_description: `The endpoints under ${tokenPrefix} are: ${known}`,
        },
        { status: 404 },
      );
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!endpoint.methods.some((known) => known === method))
      return refuseMethod(endpoint, request.method);
    const response = await endpoint.answer({
      parts: this.#parts,
      request,
      path,
      issuer: `${origin}${tokenPrefix}`,
      now: this.#clock(),
    });
    return request.method === 'HEAD'
      ? {
          ...response,
          headers: [...response.headers, ['Content-Length', String(response.body.length)]],
          body: emptyBody,
        }
      : response;
  }

  async judge(token: string, now: Date): Promise<TokenVerdict> {
    const access = await judgeAccess(token, now, this.#parts);
    return access.kind === 'good' ? { kind: 'good', scopes: access.claims.scopes } : access;
  }
}

const endpointAt: ReadonlyMap<string, TokenEndpoint> = new Map<string, TokenEndpoint>(
  Object.entries(endpoints),
);

function refuseMethod({ methods }: TokenEndpoint, method: string): HttpResponse {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return emptyResponse(204, [['Allow', allow]]);
  return jsonResponse(
    {
      error: 'invalid_request',
      error_description: `This takes ${methods.join(' and ')}, not ${method.slice(0, 20)}.`,
    },
    { status: 405, headers: [['Allow', allow]] },
  );
}

/** The token endpoint (RFC 6749, section 3.2). */
async function answerTokenRequest(visit: TokenVisit): Promise<HttpResponse> {
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
async function revokeToken(visit: TokenVisit): Promise<HttpResponse> {
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
async function introspectToken(visit: TokenVisit): Promise<HttpResponse> {
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
async function showUserInfo(visit: TokenVisit): Promise<HttpResponse> {
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
type AccessReading =
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
async function judgeAccess(
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
