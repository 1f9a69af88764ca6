import { hostOf, isLoopbackHost } from '../../../http/host.ts';
import type { Client } from '../read-client.ts';

/**
 * Where a person may be sent back to: an address of this machine (RFC 8252, section 7.3), or one
 * that the configuration names for the client. Anything else would let whoever wrote the link lead
 * people, and their codes, astray (RFC 9700, section 4.11).
 */
export function readRedirectUri(text: string, { known }: Client): URL | undefined {
  const url = parseUrl(text);
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

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
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
