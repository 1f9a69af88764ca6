import { suggestWord, usage } from '../../errors.ts';
import type { HeaderList, HttpResponse } from '../../http/message.ts';
import { headerValue, headerValues } from '../../http/message.ts';
import { decodePercent, splitTarget } from '../../http/target.ts';
import { problemResponse } from '../../http/problem.ts';
import { parseAuthority } from '../guard/guard.ts';
import type { ControlRoute } from './control-parts.ts';
import { controlPrefix } from './control-prefix.ts';
import { sameToken } from './control-token.ts';

/**
 * Refuses a control request whose `Host` is not a name of this machine, or that
 * comes from a page of another origin: after DNS rebinding, a page still sends its own name. `host`
 * is the bound address.
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

/** Refuses a request whose `Host` is not a name of this machine. */
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

/** Refuses a control request without the token of this start (RFC 6750, section 3). */
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

/** Every route whose path matches a target. */
export function findRoutes(
  target: string,
  routes: readonly ControlRoute[],
): { readonly route: ControlRoute; readonly path: Readonly<Record<string, string>> }[] {
  const segments = splitTarget(target).path.slice(controlPrefix.length).split('/');
  return routes.flatMap((route) => {
    const path = matchPath(route.path.split('/'), segments);
    return path === undefined ? [] : [{ route, path }];
  });
}

function matchPath(
  wanted: readonly string[],
  given: readonly string[],
): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const values: [string, string][] = [];
  for (const [index, segment] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const text = given[index] ?? '';
    const value = name === undefined ? undefined : decodePercent(text);
    if (name === undefined ? segment !== text : value === undefined || value === '')
      return undefined;
    if (name !== undefined && value !== undefined) values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** The query of a target. Throws `usage` for an unknown or repeated parameter. */
export function readQuery(target: string, { query = {} }: ControlRoute): Record<string, string> {
  const known = Object.keys(query);
  const pairs = [...new URLSearchParams(target.slice(splitTarget(target).path.length))];
  for (const [name] of pairs) {
    if (!known.includes(name))
      throw usage(`The query parameter ${name} means nothing here.`, {
        hint: known.length === 0 ? 'This takes none.' : suggestWord(name, known),
      });
    if (pairs.filter(([other]) => other === name).length > 1)
      throw usage(`The query parameter ${name} is given twice.`, { hint: 'Give it once.' });
  }
  return Object.fromEntries(pairs);
}
