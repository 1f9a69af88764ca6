import {
  headerValue,
  headerValues,
  type HeaderList,
  type HttpResponse,
} from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { parseAuthority } from '../guard/authority.ts';
import { sameToken } from './control-token.ts';

/**
 * Refuses a control request that does not come to this machine by its own name, or comes from a
 * page of another origin: a page whose name was rebound to a loopback address still sends its own
 * name (DNS rebinding). `host` is the address that is bound.
 */
export function refuseStranger(headers: HeaderList, host: string): HttpResponse | undefined {
  const rebound = refuseRebound(headers, host);
  if (rebound !== undefined) return rebound;
  const authority = headerValue(headers, 'Host') ?? '';
  const own = [`http://${authority.toLowerCase()}`, `https://${authority.toLowerCase()}`];
  if (headerValues(headers, 'Origin').every((origin) => own.includes(origin.toLowerCase())))
    return undefined;
  return problemResponse(403, 'The control API takes no requests from pages of another origin.');
}

/** Refuses a request that does not come to this machine by its own name. */
export function refuseRebound(headers: HeaderList, host: string): HttpResponse | undefined {
  const authority = headerValue(headers, 'Host') ?? '';
  if (ownNames(host).has(parseAuthority(authority)?.host ?? '')) return undefined;
  return problemResponse(
    403,
    'The control API answers to ' +
      `${[...new Set(['localhost', '127.0.0.1', '[::1]', host])].join(', ')}, ` +
      'not to another Host.',
  );
}

function ownNames(host: string): ReadonlySet<string> {
  const bound = host.toLowerCase();
  return new Set(['localhost', '127.0.0.1', '[::1]', bound, `[${bound}]`]);
}

/** Refuses a control request without this start's token (RFC 6750, section 3). */
export function refuseUnknown(headers: HeaderList, token: string): HttpResponse | undefined {
  const given = headerValue(headers, 'Authorization');
  if (given === undefined)
    return unauthorized('The control API needs "Authorization: Bearer <control token>".', '');
  const [, credential] = /^bearer +(\S+)$/i.exec(given) ?? [];
  if (credential !== undefined && sameToken(credential, token)) return undefined;
  return unauthorized(
    'This is not the control token of this start. A new one is made each time.',
    ', error="invalid_token"',
  );
}

function unauthorized(detail: string, error: string): HttpResponse {
  return problemResponse(401, detail, {
    headers: [['WWW-Authenticate', `Bearer realm="vouch control"${error}`]],
  });
}
