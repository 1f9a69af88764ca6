import type { JsonObject } from '../../../json/value.ts';
import { isKnownKey } from '../../security/credentials.ts';
import { identityScopes } from '../declared-scopes.ts';
import type { TokenSettings } from '../token-options.ts';

/** Somebody who logs in. */
export interface Person {
  readonly name: string;
  /** What tokens of this person can hold; undefined for every scope. */
  readonly scopes: readonly string[] | undefined;
}

/** Who logs in where nobody says who. */
export const anybody = 'demo-user';

/** The person of that name; without a list of people, anybody there may be. */
export function findPerson(name: string, { users }: TokenSettings): Person | undefined {
  const known = users?.find((user) => user.name === name);
  return users === undefined || known !== undefined ? { name, scopes: known?.scopes } : undefined;
}

/** The same, by name and password; any password will do for those that no list holds. */
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

/**
 * Of scopes that were granted, those that the person may have; what OpenID Connect has for
 * everybody is among them.
 */
export function scopesFor({ scopes }: Person, granted: readonly string[]): string[] {
  return granted.filter(
    (scope) => scopes === undefined || scopes.includes(scope) || identityScopes.includes(scope),
  );
}

/** What a client learns of a person, by the scopes it has (OpenID Connect Core, section 5.4). */
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
