import { hostOf, isLoopbackHost } from '../../../http/host.ts';
import { grantScopes } from '../declared-scopes.ts';
import { type OAuthRefusal, refuseOAuth } from '../oauth-refusal.ts';
import { type Client, type Fields, findClient } from '../read-client.ts';
import { base64url } from '../signing/token-signer.ts';
import type { TokenVisit } from '../token-options.ts';
import { looksLike } from '../../../words-in.ts';

/**
 * The client and its redirect URI, which must be valid before any redirect (RFC 6749, section
 * 4.1.2.1).
 */
export interface Caller {
  readonly kind: 'caller';
  readonly client: Client;
  readonly redirect: URL;
  /** As written; undefined if the configured one applies. */
  readonly redirectUri: string | undefined;
}

/** Reads the client; errors are shown to the person without a redirect. */
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
    'The redirect_uri must be http or https on localhost, 127.0.0.1 or ' +
      '[::1], without a fragment, or one that mock.tokens.clients names for ' +
      'this client.',
  );
}

function onlyOne(uris: readonly string[] | undefined): string | undefined {
  return uris?.length === 1 ? uris[0] : undefined;
}

/**
 * The supported response types: a code (RFC 6749, section 4.1), or tokens (section 4.2; OpenID
 * Connect Core, section 3.2).
 */
export const responseTypes = ['code', 'token', 'id_token', 'id_token token'] as const;
export type ResponseType = (typeof responseTypes)[number];

export interface AuthorizationRequest {
  readonly kind: 'request';
  readonly responseType: ResponseType;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly method: ChallengeMethod;
  readonly nonce: string | undefined;
}

/** Reads the rest of the request; errors are sent to the client by a redirect. */
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
 * The values of a response type have no order (OAuth 2.0 Multiple Response Type Encoding Practices,
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

/**
 * The part of the redirect URL for the response parameters: tokens are never in a query, because
 * servers log it.
 */
export function responseMode(fields: Fields): 'query' | 'fragment' {
  if (fields.get('response_mode') === 'fragment') return 'fragment';
  return (fields.get('response_type') ?? 'code').includes('token') ? 'fragment' : 'query';
}

/**
 * The allowed redirect targets: loopback addresses (RFC 8252, section 7.3), and those that the
 * configuration names for the client. Any other target would let the author of a link redirect
 * users, with their codes, to an arbitrary site (RFC 9700, section 4.11).
 */
function readRedirectUri(text: string, { known }: Client): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes('#')) return undefined;
  return isLoopback(url) || known?.redirectUris?.includes(text) === true ? url : undefined;
}

function isLoopback(url: URL): boolean {
  return (
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    isLoopbackHost(hostOf(url))
  );
}

/**
 * The address with parameters added to its query, or as its fragment (RFC 6749, sections 4.1.2 and
 * 4.2.2).
 */
export function withParameters(
  url: URL,
  parameters: readonly (readonly [name: string, value: string | undefined])[],
  mode: 'query' | 'fragment',
): string {
  const given = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const text = new URLSearchParams(given).toString();
  if (mode === 'fragment') return `${url.href}#${text}`;
  return `${url.href}${url.search === '' ? (url.href.endsWith('?') ? '' : '?') : '&'}${text}`;
}

/** The methods that derive a challenge from its verifier (RFC 7636, section 4.2). */
export const challengeMethods = ['S256', 'plain'] as const;
type ChallengeMethod = (typeof challengeMethods)[number];

/**
 * Challenges and verifiers are 43 to 128 unreserved characters (RFC 7636, sections 4.1 and 4.2).
 */
const isChallenge = looksLike(/^[\w.~-]{43,128}$/);

/** Whether a word names one of the methods. */
export function isChallengeMethod(text: string): text is ChallengeMethod {
  return challengeMethods.some((method) => method === text);
}

/** Whether a verifier matches a challenge (RFC 7636, section 4.6). */
export async function meetsChallenge(
  verifier: string,
  challenge: string,
  method: ChallengeMethod,
): Promise<boolean> {
  return (method === 'plain' ? verifier : base64url(await digest(verifier))) === challenge;
}

/**
 * The left half of a token's hash, which binds it to an ID token (OpenID Connect Core, section
 * 3.1.3.6).
 */
export async function hashHalf(token: string): Promise<string> {
  return base64url((await digest(token)).subarray(0, 16));
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
