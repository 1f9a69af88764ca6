import type { JsonObject } from '../../json/value.ts';
import { describePerson } from './login/find-person.ts';
import { hashHalf } from './login/authorization-request.ts';
import { tokenPrefix } from './token-verdict.ts';
import { makeName, secondsOf, type TokenVisit } from './token-options.ts';

/** What was granted, and to whom. */
export interface Granted {
  readonly clientId: string;
  /** The person; undefined where a client acts for itself. */
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  /**
   * What the refresh token goes on holding, where the access token holds less (RFC 6749, section
   * 6).
   */
  readonly held?: readonly string[];
  /** Names everything that comes of one consent, so that it can be revoked together. */
  readonly grant: string;
  /** Goes into the ID token as it came (OpenID Connect Core, section 3.1.2.1). */
  readonly nonce?: string | undefined;
}

/** How long a refresh token is good for, in seconds: thirty days. */
const refreshLifetime = 30 * 24 * 3600;

/** How long an access token is good for, in seconds, where the configuration does not say. */
const defaultLifetime = 3600;

/**
 * The members of a token response (RFC 6749, section 5.1): an access token, and a refresh token and
 * an ID token for a person.
 */
export async function issueTokens(granted: Granted, visit: TokenVisit): Promise<JsonObject> {
  const access = await issueAccess(granted, visit);
  if (granted.person === undefined) return access.members;
  const refresh = await visit.parts.signer.sign('vouch-refresh+jwt', {
    ...sharedClaims({ ...granted, scopes: granted.held ?? granted.scopes }, visit, refreshLifetime),
    aud: visit.issuer,
  });
  return {
    ...access.members,
    refresh_token: refresh,
    ...(await issueIdToken(granted, visit, access.token)),
  };
}

/** An access token (RFC 9068, section 2.2), and what is told with it. */
export async function issueAccess(
  granted: Granted,
  visit: TokenVisit,
): Promise<{ readonly token: string; readonly members: JsonObject }> {
  const lifetime = visit.parts.settings.lifetime ?? defaultLifetime;
  const token = await visit.parts.signer.sign('at+jwt', {
    ...sharedClaims(granted, visit, lifetime),
    aud: visit.issuer.slice(0, -tokenPrefix.length),
  });
  return {
    token,
    members: {
      access_token: token,
      token_type: 'Bearer',
      expires_in: lifetime,
      scope: granted.scopes.join(' '),
    },
  };
}

/** An ID token where `openid` was granted (OpenID Connect Core, section 2); nothing else. */
export async function issueIdToken(
  granted: Granted,
  visit: TokenVisit,
  accessToken?: string,
): Promise<JsonObject> {
  const { person, scopes, clientId, nonce } = granted;
  if (person === undefined || !scopes.includes('openid')) return {};
  const now = secondsOf(visit.now);
  const lifetime = visit.parts.settings.lifetime ?? defaultLifetime;
  const claims = {
    iss: visit.issuer,
    aud: clientId,
    iat: now,
    exp: now + lifetime,
    auth_time: now,
    ...describePerson(person, scopes),
    ...(nonce === undefined ? {} : { nonce }),
    ...(accessToken === undefined ? {} : { at_hash: await hashHalf(accessToken) }),
  };
  return { id_token: await visit.parts.signer.sign('JWT', claims) };
}

function sharedClaims(
  { clientId, person, scopes, grant }: Granted,
  { parts, issuer, now }: TokenVisit,
  lifetime: number,
): JsonObject {
  const issued = secondsOf(now);
  return {
    iss: issuer,
    sub: person ?? clientId,
    client_id: clientId,
    scope: scopes.join(' '),
    jti: makeName(parts),
    grant,
    iat: issued,
    exp: issued + lifetime,
    ...(person === undefined ? {} : { person }),
  };
}
