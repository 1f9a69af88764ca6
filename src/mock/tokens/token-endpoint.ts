import type { HttpResponse } from '../../http/message.ts';
import { grants } from './grants/index.ts';
import { isRefusal, jsonResponse, refusalResponse, refuseOAuth } from './oauth-refusal.ts';
import { readClient } from './read-client.ts';
import { readBodyFields } from './read-fields.ts';
import type { TokenVisit } from './token-visit.ts';

/** The token endpoint (RFC 6749, section 3.2). */
export async function answerTokenRequest(visit: TokenVisit): Promise<HttpResponse> {
  const fields = readBodyFields(visit.request);
  if (fields.kind === 'refusal') return refusalResponse(fields);
  const type = fields.get('grant_type');
  if (type === undefined)
    return refusalResponse(
      refuseOAuth(
        'invalid_request',
        `The parameter grant_type is missing. There are: ${[...grants.keys()].join(', ')}.`,
      ),
    );
  const grant = grants.get(type);
  if (grant === undefined)
    return refusalResponse(
      refuseOAuth(
        'unsupported_grant_type',
        `The grant_type is not known. There are: ${[...grants.keys()].join(', ')}.`,
      ),
    );
  const client = readClient(visit.request, fields, visit.parts.settings);
  if (client.kind === 'refusal') return refusalResponse(client);
  const answer = await grant({ visit, client, fields });
  return isRefusal(answer) ? refusalResponse(answer) : jsonResponse(answer);
}
