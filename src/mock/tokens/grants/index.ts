import { grantByCode } from './authorization-code.ts';
import { grantToDevice } from './device-code.ts';
import type { AnswerGrant } from './grant.ts';
import { grantByPassword, grantToClient } from './password.ts';
import { grantByRefreshToken } from './refresh-token.ts';

/** Every way to a token, by its `grant_type`. */
export const grants: ReadonlyMap<string, AnswerGrant> = new Map([
  ['authorization_code', grantByCode],
  ['client_credentials', grantToClient],
  ['password', grantByPassword],
  ['refresh_token', grantByRefreshToken],
  ['urn:ietf:params:oauth:grant-type:device_code', grantToDevice],
]);
