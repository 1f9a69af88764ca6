import { isLoopbackHost, originOf } from '../http/host.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { TokenService } from '../mock/tokens/token-service.ts';
import { refuseRebound } from './control/control-access.ts';
import { isControlTarget } from './control/control-target.ts';

/**
 * Answers a request to the token endpoints. They need no control token, since they are what a
 * client logs in at. Those under the prefix answer to this machine's own names alone while `host`,
 * the address that the server is bound to, is a loopback one (DNS rebinding).
 */
export async function serveTokens(
  tokens: TokenService,
  request: HttpRequest,
  host: string,
): Promise<HttpResponse> {
  const rebound =
    isControlTarget(request.target) && isLoopbackHost(host)
      ? refuseRebound(request.headers, host)
      : undefined;
  // What a client is told leads back to where it came from.
  return rebound ?? tokens.answer(request, (originOf(request) ?? 'http://localhost').toLowerCase());
}
