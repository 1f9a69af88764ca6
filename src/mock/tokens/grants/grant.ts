import type { JsonObject } from '../../../json/value.ts';
import type { OAuthRefusal } from '../oauth-refusal.ts';
import type { Client, Fields } from '../read-client.ts';
import type { TokenVisit } from '../token-visit.ts';

/** A request for a token: by whom, and with what. */
export interface TokenRequest {
  readonly visit: TokenVisit;
  readonly client: Client;
  readonly fields: Fields;
}

/** One `grant_type`: the members of the token response, or why there is none. */
export type AnswerGrant = (
  request: TokenRequest,
) => Promise<JsonObject | OAuthRefusal> | JsonObject | OAuthRefusal;
