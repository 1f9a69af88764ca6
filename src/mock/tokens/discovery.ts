import type { HttpResponse } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import { identityScopes } from './declared-scopes.ts';
import { authorizeDevice, showDevicePage } from './device/device-endpoints.ts';
import { grants } from './grants/index.ts';
import { challengeMethods, responseTypes } from './login/authorization-request.ts';
import { authorize } from './login/authorize.ts';
import { jsonResponse } from './oauth-refusal.ts';
import { algorithm } from './signing/token-signer.ts';
import { answerTokenRequest, introspectToken, revokeToken, showUserInfo } from './token-answers.ts';
import type { AnswerTokenVisit, TokenVisit } from './token-options.ts';

/** The metadata of the token service (OpenID Connect Discovery, section 3; RFC 8414, section 2). */
function showDiscovery({ issuer, parts }: TokenVisit): HttpResponse {
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  const metadata: JsonObject = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device_authorization`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks.json`,
    scopes_supported: [...new Set([...identityScopes, ...parts.declared().names])],
    response_types_supported: [...responseTypes],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...grants.keys(), 'implicit'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: [...challengeMethods],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    claims_supported: ['sub', 'name', 'preferred_username', 'email', 'email_verified'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_uri_parameter_supported: false,
  };
  return jsonResponse(metadata);
}

/** The keys for verifying tokens (RFC 7517, section 5). */
async function showKeys({ parts }: TokenVisit): Promise<HttpResponse> {
  const { keys } = await parts.signer.keySet();
  return jsonResponse({ keys: keys.map((key) => ({ ...key })) });
}

/** One endpoint. A GET changes nothing. */
export interface TokenEndpoint {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly answer: AnswerTokenVisit;
}

/** Every endpoint by its path below the prefix. */
export const endpoints = {
  '/token': { methods: ['POST'], answer: answerTokenRequest },
  '/authorize': { methods: ['GET', 'POST'], answer: authorize },
  '/device_authorization': { methods: ['POST'], answer: authorizeDevice },
  '/device': { methods: ['GET', 'POST'], answer: showDevicePage },
  '/revoke': { methods: ['POST'], answer: revokeToken },
  '/introspect': { methods: ['POST'], answer: introspectToken },
  '/jwks.json': { methods: ['GET'], answer: showKeys },
  '/userinfo': { methods: ['GET', 'POST'], answer: showUserInfo },
  '/.well-known/openid-configuration': { methods: ['GET'], answer: showDiscovery },
  '/.well-known/oauth-authorization-server': { methods: ['GET'], answer: showDiscovery },
} as const satisfies Readonly<Record<string, TokenEndpoint>>;
/** The paths of the endpoints below their prefix. */
export type EndpointPath = keyof typeof endpoints;
