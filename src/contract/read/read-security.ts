import { wordsIn } from '../../words-in.ts';
import { referencePointer, type Cursor } from './cursor.ts';
import type { OAuthFlow, SecurityRequirement, SecurityScheme } from '../model/security.ts';

/** The document's security schemes by name (OpenAPI 3.1, section 4.8.27). */
export function readSecuritySchemes(root: Cursor): Map<string, SecurityScheme> {
  const schemes = root.child('components')?.entries('securitySchemes') ?? [];
  return new Map(schemes.map(([name, cursor]) => [name, readScheme(name, cursor)]));
}

function readScheme(name: string, cursor: Cursor): SecurityScheme {
  const { pointer } = cursor;
  const type = cursor.string('type') ?? '';
  switch (type) {
    case 'http':
      return readHttpScheme(name, cursor);
    case 'oauth2':
      return {
        kind: 'bearer',
        name,
        source: 'oauth2',
        flows: readFlows(cursor),
        ...texts(cursor, { metadataUrl: 'oauth2MetadataUrl' }),
        pointer,
      };
    case 'openIdConnect':
      return {
        kind: 'bearer',
        name,
        source: 'openIdConnect',
        ...texts(cursor, { discoveryUrl: 'openIdConnectUrl' }),
        pointer,
      };
    case 'apiKey':
      return readApiKey(name, cursor);
    case 'mutualTLS':
      return { kind: 'mutualTLS', name, pointer };
    default:
      return { kind: 'unsupported', name, type, pointer };
  }
}

/** A scheme's name is a case-insensitive token (RFC 9110, section 11.1). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function readHttpScheme(name: string, cursor: Cursor): SecurityScheme {
  const { pointer } = cursor;
  const scheme = cursor.string('scheme') ?? '';
  if (scheme.toLowerCase() === 'bearer')
    return {
      kind: 'bearer',
      name,
      source: 'http',
      ...texts(cursor, { bearerFormat: 'bearerFormat' }),
      pointer,
    };
  if (scheme.toLowerCase() === 'basic') return { kind: 'basic', name, pointer };
  return token.test(scheme)
    ? { kind: 'http', name, scheme, pointer }
    : { kind: 'unsupported', name, type: `http ${scheme}`.trimEnd(), pointer };
}

function readApiKey(name: string, cursor: Cursor): SecurityScheme {
  const { pointer } = cursor;
  const place = cursor.string('in');
  const key = cursor.string('name') ?? '';
  const known = place === 'header' || place === 'query' || place === 'cookie';
  return known && key !== ''
    ? { kind: 'apiKey', name, in: place, key, pointer }
    : { kind: 'unsupported', name, type: 'apiKey', pointer };
}

const grants = wordsIn('authorizationCode clientCredentials password implicit deviceAuthorization');
const urls = {
  authorizationUrl: 'authorizationUrl',
  tokenUrl: 'tokenUrl',
  refreshUrl: 'refreshUrl',
} as const;

function readFlows(scheme: Cursor): OAuthFlow[] {
  const flows = scheme.child('flows');
  return grants.flatMap((grant) => {
    const flow = flows?.child(grant);
    return flow === undefined
      ? []
      : [{ grant, ...texts(flow, urls), scopes: readScopes(flow), pointer: flow.pointer }];
  });
}

function readScopes(flow: Cursor): Map<string, string> {
  return new Map(
    Object.entries(flow.child('scopes')?.object ?? {}).map(([scope, meaning]) => [
      scope,
      String(meaning),
    ]),
  );
}

/** The members that hold a text, under the names of the model. */
function texts<Name extends string>(
  cursor: Cursor,
  members: Readonly<Record<Name, string>>,
): { [name in Name]?: string } {
  const found = Object.entries<string>(members).flatMap(([name, member]) => {
    const text = cursor.string(member);
    return text === undefined ? [] : [[name, text] as const];
  });
  // `Object.fromEntries` loses the type of the keys, which are those of `members`.
  return Object.fromEntries(found) as { [name in Name]?: string };
}

/**
 * The security requirements of an operation: its own `security`, otherwise the document's (OpenAPI
 * 3.1, section 4.8.10). An undeclared scheme becomes `unsupported`.
 */
export function readSecurity(
  operation: Cursor,
  root: Cursor,
  schemes: ReadonlyMap<string, SecurityScheme>,
): SecurityRequirement[] {
  const owner = operation.raw('security') === undefined ? root : operation;
  return owner.items('security').map((requirement) =>
    Object.entries(requirement.object).map(([name, scopes]) => ({
      scheme: findScheme(name, schemes) ?? {
        kind: 'unsupported',
        name,
        type: 'undeclared',
        pointer: requirement.pointer,
      },
      scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
    })),
  );
}

/** By name, or by the URI of a component in the same document (OpenAPI 3.2, section 4.31). */
function findScheme(
  name: string,
  schemes: ReadonlyMap<string, SecurityScheme>,
): SecurityScheme | undefined {
  const pointer = schemes.has(name) ? undefined : referencePointer(name);
  return pointer === undefined
    ? schemes.get(name)
    : [...schemes.values()].find((scheme) => scheme.pointer === pointer);
}
