import { grantScopes } from '../declared-scopes.ts';
import { issueTokens } from '../issue-tokens.ts';
import { admitPerson } from '../login/find-person.ts';
import { refuseOAuth } from '../oauth-refusal.ts';
import { makeName } from '../token-visit.ts';
import type { AnswerGrant } from './grant.ts';

/** A person by name and password (RFC 6749, section 4.3). */
export const grantByPassword: AnswerGrant = async ({ visit, client, fields }) => {
  const [username, password] = [fields.get('username'), fields.get('password')];
  if (username === undefined || password === undefined)
    return refuseOAuth(
      'invalid_request',
      `The parameter ${username === undefined ? 'username' : 'password'} is missing.`,
    );
  const person = admitPerson(username, password, visit.parts.settings);
  if (person === undefined)
    return refuseOAuth(
      'invalid_grant',
      'The user and password are not known here. Send those of one of mock.tokens.users.',
    );
  const scopes = grantScopes(fields.get('scope'), {
    declared: visit.parts.declared(),
    limits: [client.known?.scopes, person.scopes],
  });
  if ('kind' in scopes) return scopes;
  return issueTokens(
    { clientId: client.id, person: person.name, scopes, grant: makeName(visit.parts) },
    visit,
  );
};

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
