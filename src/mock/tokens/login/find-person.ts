import type { JsonObject } from '../../../json/value.ts';
import { isKnownKey } from '../../security/credentials.ts';
import { identityScopes } from '../declared-scopes.ts';
import type { TokenSettings } from '../token-options.ts';

/** A user who logs in. */
export interface Person {
  readonly name: string;
  /** The maximum scopes of this person's tokens; undefined for all. */
  readonly scopes: readonly string[] | undefined;
}

export const defaultPerson = 'demo-user';

/** The person of that name; any name if no users are configured. */
export function findPerson(name: string, { users }: TokenSettings): Person | undefined {
  const known = users?.find((user) => user.name === name);
  return users === undefined || known !== undefined ? { name, scopes: known?.scopes } : undefined;
}

/** The same, by name and password; without configured users, any password is accepted. */
export function admitPerson(
  name: string,
  password: string,
  settings: TokenSettings,
): Person | undefined {
  const known = settings.users?.find((user) => user.name === name);
  return known !== undefined && !isKnownKey(password, [known.password])
    ? undefined
    : findPerson(name, settings);
}

/** The granted scopes that the person may have, and those of OpenID Connect. */
export function scopesFor({ scopes }: Person, granted: readonly string[]): string[] {
  return granted.filter(
    (scope) => scopes === undefined || scopes.includes(scope) || identityScopes.includes(scope),
  );
}

/** The claims about a person that a client's scopes allow (OpenID Connect Core, section 5.4). */
export function describePerson(name: string, scopes: readonly string[]): JsonObject {
  const profile = { name, preferred_username: name };
  const email = {
    email: /^[^\s@]+@[^\s@]+$/.test(name)
      ? name
      : `${encodeURIComponent(name.toWellFormed())}@example.com`,
    email_verified: true,
  };
  return {
    sub: name,
    ...(scopes.includes('profile') ? profile : {}),
    ...(scopes.includes('email') ? email : {}),
  };
}
