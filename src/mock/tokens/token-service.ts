import { splitTarget } from '../../http/target.ts';
import type { Contract, OAuthFlow, SecurityScheme, Server } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { EndpointPath, TokenEndpoints } from './token-endpoints.ts';
import type { TokenOptions, TokenServiceParts } from './token-options.ts';
import { type TokenJudge, tokenPrefix, type TokenVerdict } from './token-verdict.ts';

/**
 * The login endpoints of a contract, and the verifier of their tokens. Their code is loaded for the
 * first client.
 */
export class TokenService implements TokenJudge {
  readonly #given: TokenServiceParts;
  #ownPaths: ReadonlyMap<string, EndpointPath> | undefined;
  #endpoints: Promise<TokenEndpoints> | undefined;

  constructor(given: TokenServiceParts) {
    this.#given = given;
  }

  /** Whether a request target is an endpoint. */
  isTokenTarget(target: string): boolean {
    const path = splitTarget(target).path;
    return path === tokenPrefix || path.startsWith(`${tokenPrefix}/`) || this.#own().has(path);
  }

  /**
   * Handles a request to an endpoint; never throws. `origin` is scheme and host as the client names
   * them.
   */
  async answer(request: HttpRequest, origin: string): Promise<HttpResponse> {
    const path = splitTarget(request.target).path;
    const endpoints = await this.#openEndpoints();
    return endpoints.answer({ request, path, origin, endpoint: this.#own().get(path) });
  }

  async judge(token: string, now: Date): Promise<TokenVerdict> {
    const endpoints = await this.#openEndpoints();
    return endpoints.judge(token, now);
  }

  #own(): ReadonlyMap<string, EndpointPath> {
    return (this.#ownPaths ??= findOwnPaths(this.#given.contract, this.#given.isOwned));
  }

  #openEndpoints(): Promise<TokenEndpoints> {
    return (this.#endpoints ??= import('./token-endpoints.ts').then(
      ({ TokenEndpoints }) => new TokenEndpoints(this.#given),
    ));
  }
}

interface TokenServiceOptions extends Pick<TokenServiceParts, 'contract' | 'keys' | 'clock'> {
  readonly tokens?: TokenOptions | undefined;
}

/** The token service of a mock with these options; undefined if they disable tokens. */
export function makeTokenService(
  { tokens, contract, keys, clock }: TokenServiceOptions,
  isOwned: (path: string) => boolean,
): TokenService | undefined {
  return tokens && new TokenService({ ...tokens, contract, keys, clock, isOwned });
}

/** A fast path, because it runs for every request to the mock. */

const members = [
  ['tokenUrl', '/token'],
  ['refreshUrl', '/token'],
  ['authorizationUrl', '/authorize'],
] as const satisfies readonly (readonly [keyof OAuthFlow, EndpointPath])[];

/** The places of a server's metadata if its issuer has a path (RFC 8414, section 3.1). */
const inserted: readonly (readonly [string, EndpointPath])[] = [
  [
    `/.well-known/oauth-authorization-server${tokenPrefix}`,
    '/.well-known/oauth-authorization-server',
  ],
  [`/.well-known/openid-configuration${tokenPrefix}`, '/.well-known/openid-configuration'],
];

/**
 * Further paths of the endpoints: those that the contract's schemes name on one of its servers, so
 * that clients which read the contract find them. An operation has precedence.
 */
export function findOwnPaths(
  { securitySchemes, servers }: Contract,
  isOwned: (path: string) => boolean,
): ReadonlyMap<string, EndpointPath> {
  const named = [...securitySchemes.values()].flatMap((scheme) =>
    urlsOf(scheme).flatMap(([url, endpoint]) =>
      servers.flatMap((server) => {
        const path = pathOn(server, url);
        return path === undefined ? [] : [[path, endpoint] as const];
      }),
    ),
  );
  return new Map([...inserted, ...named].filter(([path]) => !isOwned(path)));
}

function urlsOf(scheme: SecurityScheme): (readonly [url: string, endpoint: EndpointPath])[] {
  if (scheme.kind !== 'bearer' || scheme.source === 'http') return [];
  if (scheme.source === 'openIdConnect')
    return scheme.discoveryUrl === undefined
      ? []
      : [[scheme.discoveryUrl, '/.well-known/openid-configuration']];
  const flows = scheme.flows.flatMap((flow) =>
    members.flatMap(([member, endpoint]) => {
      const url = flow[member];
      return url === undefined ? [] : [[url, endpoint] as const];
    }),
  );
  return scheme.metadataUrl === undefined
    ? flows
    : [...flows, [scheme.metadataUrl, '/.well-known/oauth-authorization-server']];
}

/** A host that no contract names: relative URLs stay on the mock. */
const nowhere = 'http://mock.invalid';

/**
 * The path of a URL on a server; undefined if it has another host. Relative URLs start at the
 * server (OpenAPI 3.1, section 4.6).
 */
function pathOn({ url: server }: Server, url: string): string | undefined {
  if (!URL.canParse(server, nowhere)) return undefined;
  const base = new URL(server, nowhere);
  base.pathname = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  if (!URL.canParse(url, base.href)) return undefined;
  const found = new URL(url, base.href);
  return found.origin === base.origin && found.pathname !== '/' ? found.pathname : undefined;
}
