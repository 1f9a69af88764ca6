import { authorize } from './login/authorize.ts';
import { authorizeDevice, showDevicePage } from './device/device-endpoints.ts';
import { showDiscovery, showKeys } from './discovery.ts';
import { answerTokenRequest } from './token-endpoint.ts';
import { introspectToken, revokeToken } from './token-inspection.ts';
import type { AnswerTokenVisit } from './token-visit.ts';
import { showUserInfo } from './user-info.ts';

/** One endpoint. A GET changes nothing. */
export interface TokenEndpoint {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly answer: AnswerTokenVisit;
}

/** Every endpoint, by its path under the prefix. */
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
/** The paths of the endpoints, below their prefix. */
export type EndpointPath = keyof typeof endpoints;
