import { emptyBody, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import { declaredScopes, type DeclaredScopes, identityScopes } from './declared-scopes.ts';
import { grants } from './grants/index.ts';
import { challengeMethods, responseTypes } from './login/authorization-request.ts';
import { authorize } from './login/authorize.ts';
import { emptyResponse, jsonResponse } from './oauth-refusal.ts';
import { TokenSigner, algorithm } from './signing/token-signer.ts';
import {
  judgeAccess,
  answerTokenRequest,
  introspectToken,
  revokeToken,
  showUserInfo,
} from './token-answers.ts';
import { TokenMemory } from './token-memory.ts';
import type {
  TokenParts,
  TokenServiceParts,
  AnswerTokenVisit,
  TokenVisit,
} from './token-options.ts';
import { tokenPrefix, type TokenVerdict } from './token-verdict.ts';

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
