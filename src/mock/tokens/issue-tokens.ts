import type { JsonObject } from '../../json/value.ts';
import { describePerson } from './login/find-person.ts';
import { hashHalf } from './login/authorization-request.ts';
import { tokenPrefix } from './token-verdict.ts';
import { makeName, secondsOf, type TokenVisit } from './token-options.ts';

/** A grant: its scopes, client and person. */
export interface Granted {
  readonly clientId: string;
  /** The person; undefined if a client acts for itself. */
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  /** The scopes of the refresh token, if the access token has fewer (RFC 6749, section 6). */
  readonly held?: readonly string[];
  /** Identifies all tokens of one consent, so that they can be revoked together. */
  readonly grant: string;
  /** Copied into the ID token (OpenID Connect Core, section 3.1.2.1). */
  readonly nonce?: string | undefined;
}

/** The lifetime of a refresh token in seconds: thirty days. */
const refreshLifetime = 30 * 24 * 3600;

/** The default lifetime of an access token in seconds. */
const defaultLifetime = 3600;

/**
 * The members of a token response (RFC 6749, section 5.1): an access token, and for a person a
 * refresh token and an ID token.
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

/** An access token (RFC 9068, section 2.2) with its response members. */
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

/** An ID token if `openid` was granted (OpenID Connect Core, section 2). */
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
