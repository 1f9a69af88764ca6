import { isIPv6 } from 'node:net';

/** A host and its port, as a `Host` header names them. */
export interface Authority {
  /** In lower case; an IPv6 address keeps its brackets. */
  readonly host: string;
  /** As written; undefined where there is none. */
  readonly port: string | undefined;
}

const registeredName = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+";
const shape = new RegExp(`^(${registeredName}|\\[[^\\]]*\\])(?::([0-9]*))?$`);

/**
 * Reads the value of a `Host` header (RFC 9110, section 7.2), or undefined where it is none. User
 * names are refused.
 */
export function parseAuthority(text: string): Authority | undefined {
  const [, host, port] = shape.exec(text) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined;
  if (host.startsWith('[') && !isIPv6(host.slice(1, -1))) return undefined;
  return { host: host.toLowerCase(), port: port === '' ? undefined : port };
}
