import { emptyBody, type HeaderList, type HttpResponse } from '../../http/message.ts';
import { type JsonObject, stringifyJson } from '../../json/value.ts';

/**
 * The error codes of RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5; OpenID Connect
 * Core, section 3.1.2.6.
 */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/** Why a request is refused. */
export interface OAuthRefusal {
  readonly kind: 'refusal';
  readonly error: OAuthError;
  readonly description: string;
}

/** A refusal with a description that is valid in every place. */
export function refuseOAuth(error: OAuthError, description: string): OAuthRefusal {
  return { kind: 'refusal', error, description: describable(description) };
}

/**
 * A description contains no quotes, no backslash and only visible ASCII (RFC 6749, section 5.2).
 */
function describable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/gu, '?');
}

/** A refusal as a response (RFC 6749, section 5.2): 401 for an unknown client, otherwise 400. */
export function refusalResponse({ error, description }: OAuthRefusal): HttpResponse {
  const challenge: HeaderList =
    error === 'invalid_client'
      ? [['WWW-Authenticate', 'Basic realm="vouch tokens", charset="UTF-8"']]
      : [];
  return jsonResponse(
    { error, error_description: description },
    { status: error === 'invalid_client' ? 401 : 400, headers: challenge },
  );
}

/** A JSON response that must not be cached (RFC 6749, section 5.1). */
export function jsonResponse(
  value: JsonObject,
  { status = 200, headers = [] }: { readonly status?: number; readonly headers?: HeaderList } = {},
): HttpResponse {
  const body = new TextEncoder().encode(stringifyJson(value));
  return { status, headers: [['Content-Type', 'application/json'], ...unstored, ...headers], body };
}

/** Headers against caching, including those of HTTP/1.0. */
export const unstored: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['Pragma', 'no-cache'],
];

/** A response without a body. */
export function emptyResponse(status: number, headers: HeaderList = []): HttpResponse {
  return { status, headers: [...unstored, ...headers], body: emptyBody };
}

/** Whether a result is a refusal: the members of a token response never have a `kind`. */
export function isRefusal(answer: JsonObject | OAuthRefusal): answer is OAuthRefusal {
  return answer['kind'] === 'refusal';
}
