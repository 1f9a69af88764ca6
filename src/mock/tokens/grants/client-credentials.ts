import { grantScopes } from '../declared-scopes.ts';
import { issueTokens } from '../issue-tokens.ts';
import { refuseOAuth } from '../oauth-refusal.ts';
import { makeName } from '../token-visit.ts';
import type { AnswerGrant } from './grant.ts';

/** A client for itself (RFC 6749, section 4.4); there is no refresh token. */
export const grantToClient: AnswerGrant = async ({ visit, client, fields }) => {
  if (client.known !== undefined && client.known.secret === undefined)
    return refuseOAuth(
      'unauthorized_client',
      'A client without a secret cannot get a token for itself.',
    );
  const scopes = grantScopes(fields.get('scope'), {
    declared: visit.parts.declared(),
    limits: [client.known?.scopes],
  });
  if ('kind' in scopes) return scopes;
  return issueTokens(
    { clientId: client.id, person: undefined, scopes, grant: makeName(visit.parts) },
    visit,
  );
};
