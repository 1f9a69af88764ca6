import type { Operation, SecurityRequirement, SecurityScheme } from '../contract/model.ts';
import { rivalSchemes } from '../contract/rival-schemes.ts';
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

const sendable: readonly SecurityScheme['kind'][] = ['bearer', 'basic', 'apiKey'];

/** The first requirement that vouch can meet with a token; undefined where there is none. */
export function usableRequirement(operation: Operation): SecurityRequirement | undefined {
  return operation.security.find((requirement) => requirement.every(({ scheme }) => sendable.includes(scheme.kind)) && rivalSchemes(requirement).length === 0);
}

/** Why no requirement of an operation can be met with a token. */
export function whyUnusable(operation: Operation): string {
  const strange = operation.security.flatMap((requirement) => requirement.map(({ scheme }) => scheme)).filter(({ kind }) => !sendable.includes(kind));
  if (strange.length > 0) return `it asks for a security scheme that vouch cannot meet with a token (${[...new Set(strange.map(describeScheme))].join(', ')})`;
  const rivals = operation.security.flatMap(rivalSchemes).map(({ name }) => name);
  return `it asks for ${[...new Set(rivals)].join(' and ')} together, and a request has the header Authorization once`;
}

function describeScheme(scheme: SecurityScheme): string {
  if (scheme.kind === 'http') return `${scheme.name}: http ${scheme.scheme}`;
  return `${scheme.name}: ${scheme.kind === 'unsupported' ? scheme.type : scheme.kind}`;
}

/** Puts a token where the operation's schemes want it; the same token for each where several are asked for together. */
export function placeCredential(operation: Operation, token: string | undefined): CredentialParts {
  if (token === undefined || !isSecured(operation)) return nothing;
  const schemes = usableRequirement(operation)?.map(({ scheme }) => scheme) ?? [];
  const parts = schemes.map((scheme) => placeIn(scheme, token));
  return {
    headers: withoutRepeats(parts.flatMap(({ headers }) => headers)),
    query: withoutRepeats(parts.flatMap(({ query }) => query)),
    cookies: withoutRepeats(parts.flatMap(({ cookies }) => cookies)),
  };
}

/** Two schemes that travel alike, such as OAuth 2.0 and a bearer token, are met by one field. */
function withoutRepeats(fields: HeaderList): HeaderList {
  return fields.filter(([name], index) => fields.findIndex(([other]) => other.toLowerCase() === name.toLowerCase()) === index);
}

function placeIn(scheme: SecurityScheme, token: string): CredentialParts {
  switch (scheme.kind) {
    case 'bearer':
      return { ...nothing, headers: [['Authorization', `Bearer ${token}`]] };
    case 'basic':
      return { ...nothing, headers: [['Authorization', `Basic ${Buffer.from(basicPair(token), 'utf8').toString('base64')}`]] };
    case 'apiKey':
      return placeKey(scheme.in, scheme.key, token);
    case 'http':
    case 'mutualTLS':
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
