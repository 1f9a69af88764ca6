import {
  emptyBody,
  headerValue,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
} from '../http/message.ts';

/** A request as far as the rules between origins see it. */
type Head = Pick<HttpRequest, 'method' | 'headers'>;

/**
 * Lets a page of any origin read the answer, as `prism mock` does: what Prism serves is made up,
 * and nobody's.
 */
export function corsHeaders({ headers }: Head): HeaderList {
  const origin = headerValue(headers, 'origin');
  if (origin === undefined) return [['access-control-allow-origin', '*']];
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-headers', headerValue(headers, 'access-control-request-headers') ?? '*'],
    ['access-control-expose-headers', '*'],
    ['vary', 'origin'],
  ];
}

/**
 * The answer to a browser's question whether it may send a request, or undefined for any other
 * request (Fetch, section 3.3.2).
 */
export function answerPreflight({ method, headers }: Head): HttpResponse | undefined {
  const wanted = headerValue(headers, 'access-control-request-method');
  if (method !== 'OPTIONS' || wanted === undefined || headerValue(headers, 'origin') === undefined)
    return undefined;
  return { status: 204, headers: [['access-control-allow-methods', wanted]], body: emptyBody };
}
