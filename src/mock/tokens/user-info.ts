import { headerValue, type HttpResponse } from '../../http/message.ts';
import { writeChallenges, type ChallengeFacts } from '../security/challenge.ts';
import { describePerson } from './login/find-person.ts';
import { judgeAccess } from './judge-token.ts';
import { jsonResponse } from './oauth-refusal.ts';
import type { TokenVisit } from './token-visit.ts';

/** What the token's person lets the client know (OpenID Connect Core, section 5.3). */
export async function showUserInfo(visit: TokenVisit): Promise<HttpResponse> {
  const [, token] =
    /^bearer +(\S+)$/i.exec(headerValue(visit.request.headers, 'authorization') ?? '') ?? [];
  if (token === undefined) return refuse(401, {});
  const access = await judgeAccess(token, visit.now, visit.parts);
  if (access.kind !== 'good')
    return refuse(401, { error: 'invalid_token', description: access.reason });
  const { person, scopes } = access.claims;
  if (person === undefined || !scopes.includes('openid'))
    return refuse(403, {
      error: 'insufficient_scope',
      description: 'The token must hold the scope openid, and belong to a person',
      scopes: ['openid'],
    });
  return jsonResponse(describePerson(person, scopes));
}

const bearer = [
  [{ scheme: { kind: 'bearer', name: 'token', source: 'http', pointer: '' }, scopes: [] }],
] as const;

/** RFC 6750, section 3. */
function refuse(status: number, facts: Omit<ChallengeFacts, 'realm'>): HttpResponse {
  const headers = writeChallenges(bearer, { realm: 'vouch tokens', ...facts });
  const body = {
    error: facts.error ?? 'invalid_request',
    error_description: facts.description ?? 'Send the access token as Authorization: Bearer TOKEN.',
  };
  return jsonResponse(body, { status, headers });
}
