import { emptyBody, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { declaredScopes, type DeclaredScopes } from './declared-scopes.ts';
import { type EndpointPath, endpoints, type TokenEndpoint } from './discovery.ts';
import { judgeAccess } from './judge-token.ts';
import { emptyResponse, jsonResponse } from './oauth-refusal.ts';
import { TokenSigner } from './signing/token-signer.ts';
import { TokenMemory } from './token-memory.ts';
import type { TokenParts, TokenServiceParts } from './token-options.ts';
import { tokenPrefix, type TokenVerdict } from './token-verdict.ts';

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
    const { secret, ledger, devices } = memory ?? new TokenMemory(random);
    const signer = new TokenSigner(settings.secret ?? secret);
    this.#clock = clock;
    this.#parts = {
      contract,
      settings,
      random,
      keys,
      signer,
      ledger,
      devices,
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
