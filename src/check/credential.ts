import type { Operation, SecurityRequirement, SecurityScheme } from '../contract/model.ts';
import type { HeaderList } from '../http/message.ts';

/** Where a credential goes in a request. */
export interface CredentialParts {
  readonly headers: HeaderList;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly (readonly [name: string, value: string])[];
}

const nothing: CredentialParts = { headers: [], query: [], cookies: [] };

/** Whether an operation answers only with a credential: it names requirements, and none of them is empty (OpenAPI 3.1, section 4.8.30). */
export function isSecured(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((requirement) => requirement.length > 0);
}

/** The first requirement that vouch can meet; undefined where every one asks for a scheme that it does not know. */
export function usableRequirement(operation: Operation): SecurityRequirement | undefined {
  return operation.security.find((requirement) => requirement.every(({ scheme }) => scheme.kind !== 'unsupported'));
}

/** Puts a token where the operation's schemes want it; the same token for each where several are asked for together. */
export function placeCredential(operation: Operation, token: string | undefined): CredentialParts {
  if (token === undefined || !isSecured(operation)) return nothing;
  const schemes = usableRequirement(operation)?.map(({ scheme }) => scheme) ?? [];
  const parts = schemes.map((scheme) => placeIn(scheme, token));
  return {
    headers: parts.flatMap(({ headers }) => headers),
    query: parts.flatMap(({ query }) => query),
    cookies: parts.flatMap(({ cookies }) => cookies),
  };
}

function placeIn(scheme: SecurityScheme, token: string): CredentialParts {
  switch (scheme.kind) {
    case 'bearer':
      return { ...nothing, headers: [['Authorization', `Bearer ${token}`]] };
    case 'basic':
      return { ...nothing, headers: [['Authorization', `Basic ${Buffer.from(basicPair(token), 'utf8').toString('base64')}`]] };
    case 'apiKey':
      return placeKey(scheme.in, scheme.key, token);
    case 'unsupported':
      return nothing;
  }
}

/** `user:password` (RFC 7617, section 2). A token without a colon is a user name with no password, as services take keys by basic. */
function basicPair(token: string): string {
  return token.includes(':') ? token : `${token}:`;
}

function placeKey(place: 'header' | 'query' | 'cookie', name: string, token: string): CredentialParts {
  if (place === 'header') return { ...nothing, headers: [[name, token]] };
  if (place === 'query') return { ...nothing, query: [[name, token]] };
  return { ...nothing, cookies: [[name, token]] };
}

/** The names of header fields in which the contract's schemes carry keys. */
export function credentialHeaderNames(schemes: Iterable<SecurityScheme>): string[] {
  return [...schemes].flatMap((scheme) => (scheme.kind === 'apiKey' && scheme.in === 'header' ? [scheme.key] : []));
}
