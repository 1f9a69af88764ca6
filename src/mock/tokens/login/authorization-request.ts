import { grantScopes } from '../declared-scopes.ts';
import { refuseOAuth, type OAuthRefusal } from '../oauth-refusal.ts';
import { isChallenge, isChallengeMethod, type ChallengeMethod } from './pkce.ts';
import { findClient, type Client } from '../read-client.ts';
import type { Fields } from '../read-fields.ts';
import { readRedirectUri } from './redirect-uri.ts';
import type { TokenVisit } from '../token-visit.ts';

/**
 * Who asks, and where the answer goes: what must be sure before anybody is sent anywhere (RFC 6749,
 * section 4.1.2.1).
 */
export interface Caller {
  readonly kind: 'caller';
  readonly client: Client;
  readonly redirect: URL;
  /** As it was written; undefined where it was left to the configuration. */
  readonly redirectUri: string | undefined;
}

/** Reads who asks; a refusal is shown to the person, and nobody is sent anywhere. */
export function readCaller(fields: Fields, { parts }: TokenVisit): Caller | OAuthRefusal {
  const id = fields.get('client_id');
  if (id === undefined)
    return refuseOAuth('invalid_request', 'The parameter client_id is missing.');
  const client = findClient(id, parts.settings);
  if (client.kind === 'refusal') return client;
  const redirectUri = fields.get('redirect_uri');
  const wanted = redirectUri ?? onlyOne(client.known?.redirectUris);
  if (wanted === undefined)
    return refuseOAuth('invalid_request', 'The parameter redirect_uri is missing.');
  const redirect = readRedirectUri(wanted, client);
  if (redirect !== undefined) return { kind: 'caller', client, redirect, redirectUri };
  return refuseOAuth(
    'invalid_request',
    'The redirect_uri must be http or https on localhost, 127.0.0.1 or [::1], without a fragment, or one that mock.tokens.clients names for this client.',
  );
}

function onlyOne(uris: readonly string[] | undefined): string | undefined {
  return uris?.length === 1 ? uris[0] : undefined;
}

/**
 * What can come back from `authorize`: a code (RFC 6749, section 4.1), or tokens at once (section
 * 4.2; OpenID Connect Core, section 3.2).
 */
export const responseTypes = ['code', 'token', 'id_token', 'id_token token'] as const;
export type ResponseType = (typeof responseTypes)[number];

/** What is asked for. */
export interface AuthorizationRequest {
  readonly kind: 'request';
  readonly responseType: ResponseType;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly method: ChallengeMethod;
  readonly nonce: string | undefined;
}

/**
 * Reads the rest of the request; what is wrong with it is told to the client, by way of the person.
 */
export function readAuthorizationRequest(
  fields: Fields,
  caller: Caller,
  { parts }: TokenVisit,
): AuthorizationRequest | OAuthRefusal {
  const responseType = readResponseType(fields);
  if (typeof responseType !== 'string') return responseType;
  const strange = refuseStrange(fields, responseType);
  if (strange !== undefined) return strange;
  const method = fields.get('code_challenge_method') ?? 'plain';
  if (!isChallengeMethod(method))
    return refuseOAuth('invalid_request', 'The code_challenge_method is not known. Use S256.');
  const challenge = fields.get('code_challenge');
  if (challenge !== undefined && !isChallenge(challenge))
    return refuseOAuth(
      'invalid_request',
      'The code_challenge must have 43 to 128 letters, digits or -._~.',
    );
  const scopes = grantScopes(fields.get('scope'), {
    declared: parts.declared(),
    limits: [caller.client.known?.scopes],
  });
  if ('kind' in scopes) return scopes;
  const nonce = fields.get('nonce');
  if (responseType.includes('id_token') && nonce === undefined)
    return refuseOAuth(
      'invalid_request',
      'The parameter nonce is missing; an ID token that comes without a code needs it.',
    );
  return { kind: 'request', responseType, scopes, challenge, method, nonce };
}

/**
 * The words of a response type have no order (OAuth 2.0 Multiple Response Type Encoding Practices,
 * section 3).
 */
function readResponseType(fields: Fields): ResponseType | OAuthRefusal {
  const text = fields.get('response_type');
  if (text === undefined)
    return refuseOAuth('invalid_request', 'The parameter response_type is missing.');
  const sorted = text.split(' ').sort().join(' ');
  return (
    responseTypes.find((type) => type === sorted) ??
    refuseOAuth(
      'unsupported_response_type',
      `The response_type is not known. There are: ${responseTypes.join(', ')}.`,
    )
  );
}

function refuseStrange(fields: Fields, responseType: ResponseType): OAuthRefusal | undefined {
  if (fields.get('request') !== undefined)
    return refuseOAuth('request_not_supported', 'Request objects are not taken.');
  if (fields.get('request_uri') !== undefined)
    return refuseOAuth('request_uri_not_supported', 'Request objects are not taken.');
  const mode = fields.get('response_mode');
  if (mode === undefined || mode === 'fragment' || (mode === 'query' && responseType === 'code'))
    return undefined;
  return refuseOAuth(
    'invalid_request',
    'The response_mode must be query or fragment, and fragment where tokens come back.',
  );
}

/** Where the parameters of the answer go: tokens never into a query, which servers log. */
export function responseMode(fields: Fields): 'query' | 'fragment' {
  if (fields.get('response_mode') === 'fragment') return 'fragment';
  return (fields.get('response_type') ?? 'code').includes('token') ? 'fragment' : 'query';
}
