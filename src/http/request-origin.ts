import { headerValue, type HttpRequest } from './message.ts';

/**
 * By which scheme a client sent a request: what a proxy that speaks TLS in front of this server
 * says, else how it came here.
 */
export function schemeOf({
  scheme,
  headers,
}: Pick<HttpRequest, 'scheme' | 'headers'>): 'http' | 'https' {
  // Behind several proxies the first word is that of the first one, which the client speaks to.
  const forwarded = headerValue(headers, 'x-forwarded-proto')
    ?.split(',', 1)[0]
    ?.trim()
    .toLowerCase();
  return forwarded === 'https' ? 'https' : (scheme ?? 'http');
}

/**
 * Scheme and host as the client named them: `https://localhost:4010`. Undefined where it named no
 * host.
 */
export function originOf(request: Pick<HttpRequest, 'scheme' | 'headers'>): string | undefined {
  const host = headerValue(request.headers, 'host');
  return host === undefined || host === '' ? undefined : `${schemeOf(request)}://${host}`;
}
