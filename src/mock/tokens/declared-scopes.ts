import { wordsIn } from '../../words-in.ts';
import type { Contract } from '../../contract/model.ts';
import { refuseOAuth, type OAuthRefusal } from './oauth-refusal.ts';

export interface DeclaredScopes {
  readonly names: readonly string[];
  /** Whether there may be others: those of OpenID Connect are in an external document. */
  readonly open: boolean;
}

/** The standard scopes of OpenID Connect (Core, sections 5.4 and 11). */
export const identityScopes: readonly string[] = wordsIn(
  'openid profile email address phone offline_access',
);

/** The scopes of flows and of operations. */
export function declaredScopes({ securitySchemes, operations }: Contract): DeclaredScopes {
  const schemes = [...securitySchemes.values()];
  const declared = schemes.flatMap((scheme) =>
    scheme.kind === 'bearer' && scheme.source === 'oauth2'
      ? scheme.flows.flatMap(({ scopes }) => [...scopes.keys()])
      : [],
  );
  const required = operations.flatMap(({ security }) =>
    security.flatMap((requirement) => requirement.flatMap(({ scopes }) => scopes)),
  );
  const names = [...new Set([...declared, ...required])].filter((scope) => scopeToken.test(scope));
  return {
    names,
    open:
      names.length === 0 ||
      schemes.some((scheme) => scheme.kind === 'bearer' && scheme.source === 'openIdConnect'),
  };
}

/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The limits of granted scopes. */
export interface ScopeLimits {
  readonly declared: DeclaredScopes;
  /** The maximum scopes of the client and the person; undefined for all. */
  readonly limits: readonly (readonly string[] | undefined)[];
}

/**
 * The scopes of a token: the requested ones that the contract has and the client and person may
 * have; by default all of them (RFC 6749, section 3.3).
 */
export function grantScopes(
  requested: string | undefined,
  { declared, limits }: ScopeLimits,
): readonly string[] | OAuthRefusal {
  const may = (scope: string): boolean =>
    limits.every(
      (limit) => limit === undefined || limit.includes(scope) || identityScopes.includes(scope),
    );
  const wanted = [...new Set((requested ?? '').split(' ').filter((scope) => scope !== ''))];
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
