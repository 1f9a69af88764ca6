import type { Contract } from '../../contract/model.ts';
import { refuseOAuth, type OAuthRefusal } from './oauth-refusal.ts';

/** The scopes that a contract speaks of. */
export interface DeclaredScopes {
  readonly names: readonly string[];
  /** Whether there may be others: those of OpenID Connect stand in a document elsewhere. */
  readonly open: boolean;
}

/** What OpenID Connect has for everybody (Core, sections 5.4 and 11). */
export const identityScopes: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

/** Those that its flows declare, and those that its operations ask for. */
export function declaredScopes({ securitySchemes, operations }: Contract): DeclaredScopes {
  const schemes = [...securitySchemes.values()];
  const declared = schemes.flatMap((scheme) =>
    scheme.kind === 'bearer' && scheme.source === 'oauth2'
      ? scheme.flows.flatMap(({ scopes }) => [...scopes.keys()])
      : [],
  );
  const asked = operations.flatMap(({ security }) =>
    security.flatMap((requirement) => requirement.flatMap(({ scopes }) => scopes)),
  );
  const names = [...new Set([...declared, ...asked])].filter((scope) => scopeToken.test(scope));
  return {
    names,
    open:
      names.length === 0 ||
      schemes.some((scheme) => scheme.kind === 'bearer' && scheme.source === 'openIdConnect'),
  };
}

/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** What scopes are granted by. */
export interface ScopeLimits {
  readonly declared: DeclaredScopes;
  /** What the client, and the person, may have at most; undefined for everything. */
  readonly limits: readonly (readonly string[] | undefined)[];
}

/**
 * The scopes that a token gets: of those that are asked for, the ones that the contract knows and
 * the client and the person may have; where nothing is asked for, all of them (RFC 6749, section
 * 3.3).
 */
export function grantScopes(
  asked: string | undefined,
  { declared, limits }: ScopeLimits,
): readonly string[] | OAuthRefusal {
  const may = (scope: string): boolean =>
    limits.every(
      (limit) => limit === undefined || limit.includes(scope) || identityScopes.includes(scope),
    );
  const wanted = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  if (wanted.length === 0) return declared.names.filter(may);
  if (!wanted.every((scope) => scopeToken.test(scope)))
    return refuseOAuth('invalid_scope', 'A scope holds a character that no scope can have.');
  const granted = wanted.filter(
    (scope) =>
      (declared.open || declared.names.includes(scope) || identityScopes.includes(scope)) &&
      may(scope),
  );
  if (granted.length > 0) return granted;
  const known = declared.names.filter(may).join(' ');
  return refuseOAuth(
    'invalid_scope',
    `None of the scopes can be granted: ${wanted.join(' ').slice(0, 200)}. ` +
      (known === '' ? 'There are none to have.' : `There are: ${known.slice(0, 500)}.`),
  );
}
