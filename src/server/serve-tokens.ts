import type { IncomingMessage } from 'node:http';
import { headerValue, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { isControlTarget } from './control/control-target.ts';
import { refuseRebound } from './control/control-access.ts';
import type { TokenService } from '../mock/tokens/token-service.ts';

/** Where a request to the token endpoints came in. */
export interface TokenEntrance {
  readonly incoming: IncomingMessage;
  /** The address that the server is bound to. */
  readonly host: string;
}

/**
 * Answers a request to the token endpoints. They need no control token, since they are what a client logs in at. Those under the
 * prefix answer to this machine's own names alone while the server is bound to loopback (DNS rebinding).
 */
export async function serveTokens(tokens: TokenService, request: HttpRequest, { incoming, host }: TokenEntrance): Promise<HttpResponse> {
  const rebound = isControlTarget(request.target) && isLoopback(host) ? refuseRebound(request.headers, host) : undefined;
  return rebound ?? tokens.answer(request, originOf(incoming, request));
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Scheme and host as the client named them, so that what it is told leads back to where it came from. */
function originOf({ socket }: IncomingMessage, { headers }: HttpRequest): string {
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
  return `${scheme}://${(headerValue(headers, 'host') ?? 'localhost').toLowerCase()}`;
}
