import { hostOf } from '../../../../http/host.ts';

/** An HTTP proxy. */
export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
  /** The `Proxy-Authorization` field with its CRLF; empty where the URL names no user. */
  readonly authorization: string;
}

/**
 * Reads `http://user:password@proxy.example:3128`; undefined where it is no URL of an HTTP proxy.
 */
export function readProxyAddress(text: string): ProxyAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' || url.hostname === '') return undefined;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization =
    pair === ':' ? '' : `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
  return { host: hostOf(url), port: url.port === '' ? 80 : Number(url.port), authorization };
}
