import type { Pointer } from '../../json/pointer.ts';

/**
 * One way to obtain an access token (OpenAPI 3.2, sections 4.29 and 4.30). URLs are as written, so
 * they may be relative.
 */
export interface OAuthFlow {
  readonly grant:
    'authorizationCode' | 'clientCredentials' | 'password' | 'implicit' | 'deviceAuthorization';
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  /** The description of each scope, by its name. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly pointer: Pointer;
}

/** What every scheme has: the name that requirements use, and its place. */
interface NamedScheme {
  readonly name: string;
  readonly pointer: Pointer;
}

interface HttpBearer extends NamedScheme {
  readonly kind: 'bearer';
  readonly source: 'http';
  /** The format of the token, such as `JWT`: documentation only. */
  readonly bearerFormat?: string;
}

interface OAuth2 extends NamedScheme {
  readonly kind: 'bearer';
  readonly source: 'oauth2';
  readonly flows: readonly OAuthFlow[];
  /** `oauth2MetadataUrl` of OpenAPI 3.2 (RFC 8414). */
  readonly metadataUrl?: string;
}

interface OpenIdConnect extends NamedScheme {
  readonly kind: 'bearer';
  readonly source: 'openIdConnect';
  /** `openIdConnectUrl`, as written. */
  readonly discoveryUrl?: string;
}

interface ApiKey extends NamedScheme {
  readonly kind: 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header, query parameter or cookie. */
  readonly key: string;
}

/**
 * How a client authenticates (OpenAPI 3.1, section 4.8.27), by what it sends: everything sent as
 * `Authorization: Bearer` is one kind. `http` is any other scheme of that header, such as Digest.
 * `unsupported` is an unknown scheme, or one that a requirement names and the document does not
 * declare (`type` is `undeclared`).
 */
export type SecurityScheme =
  | HttpBearer
  | OAuth2
  | OpenIdConnect
  | ({ readonly kind: 'basic' } & NamedScheme)
  | ({ readonly kind: 'http' /** As written: `Digest`. */; readonly scheme: string } & NamedScheme)
  | ApiKey
  | ({ readonly kind: 'mutualTLS' } & NamedScheme)
  | ({ readonly kind: 'unsupported'; readonly type: string } & NamedScheme);

/** All of these schemes together; an empty list needs no credential. */
export type SecurityRequirement = readonly {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}[];

/**
 * The schemes of a requirement that need the header `Authorization` in different forms: a request
 * has that header once (RFC 9110, section 5.3), so it can satisfy only one of them. Empty if a
 * request can satisfy all.
 */
export function conflictingSchemes(requirement: SecurityRequirement): readonly SecurityScheme[] {
  if (requirement.length < 2) return [];
  const claimants = requirement
    .map(({ scheme }) => scheme)
    .filter((scheme) => formOf(scheme) !== undefined);
  return new Set(claimants.map(formOf)).size < 2 ? [] : claimants;
}

/** The first word of the header; an API key has none. Undefined for credentials outside of it. */
function formOf(scheme: SecurityScheme): string | undefined {
  switch (scheme.kind) {
    case 'bearer':
    case 'basic':
      return scheme.kind;
    case 'http':
      return scheme.scheme.toLowerCase();
    case 'apiKey':
      return scheme.in === 'header' && scheme.key.toLowerCase() === 'authorization'
        ? ''
        : undefined;
    case 'mutualTLS':
    case 'unsupported':
      return undefined;
  }
}
