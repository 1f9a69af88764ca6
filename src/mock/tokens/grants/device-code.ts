import { issueTokens } from '../issue-tokens.ts';
import { refuseOAuth } from '../oauth-refusal.ts';
import { makeName } from '../token-visit.ts';
import type { AnswerGrant } from './grant.ts';

/** Tokens for a device, once a person has let it in (RFC 8628, sections 3.4 and 3.5). */
export const grantToDevice: AnswerGrant = async ({ visit, client, fields }) => {
  const { devices } = visit.parts;
  const code = fields.get('device_code');
  if (code === undefined)
    return refuseOAuth('invalid_request', 'The parameter device_code is missing.');
  const device = devices.find(code);
  if (device === undefined || device.clientId !== client.id)
    return refuseOAuth(
      'invalid_grant',
      'The device_code is not known here, or not to this client.',
    );
  if (device.expires <= visit.now.getTime())
    return refuseOAuth('expired_token', 'The device_code expired. Ask for a new one.');
  if (device.decision.kind === 'pending')
    return refuseOAuth('authorization_pending', 'Nobody has let the device in yet.');
  devices.remove(device);
  if (device.decision.kind === 'denied')
    return refuseOAuth('access_denied', 'The device was turned away.');
  return issueTokens(
    {
      clientId: client.id,
      person: device.decision.person,
      scopes: device.scopes,
      grant: makeName(visit.parts),
    },
    visit,
  );
};
