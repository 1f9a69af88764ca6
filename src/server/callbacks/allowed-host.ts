import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Link-local addresses (RFC 3927; RFC 4291, section 2.5.6), and those at which clouds hand out credentials. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
forbidden.addSubnet('fd00:ec2::', 32, 'ipv6');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');

/** Whom the mock may send a request to: itself, and what was allowed by name. */
export interface HostRules {
  /** Names and addresses, each with a port or without; `*` is every host. */
  readonly allow: readonly string[];
}

/** Why a request does not go to a host: a clause without a subject, and whether the flag would let it through. */
export interface Refusal {
  readonly reason: string;
  readonly mayBeAllowed: boolean;
}

/** Judges a URL before anything is looked up. A name that is not allowed is not looked up either, unless it is a name of this machine. */
export function refuseUrl(url: URL, rules: HostRules): Refusal | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0) return refuseAddress(host, isAllowed(url, rules));
  if (isLocalName(host) || isAllowed(url, rules)) return undefined;
  return { reason: 'does not lead to this machine', mayBeAllowed: true };
}

/** Judges the address that a host has: the one it was written as, or one that its name resolves to. */
export function refuseAddress(address: string, allowed: boolean): Refusal | undefined {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (forbidden.check(address, family)) return { reason: `leads to ${address}, a link-local or metadata address, where nothing is ever sent`, mayBeAllowed: false };
  if (allowed || loopback.check(address, family)) return undefined;
  return { reason: `leads to ${address}, which is not this machine`, mayBeAllowed: true };
}

/** Whether a host was allowed by name. */
export function isAllowed(url: URL, { allow }: HostRules): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allow.some((entry) => {
    const wanted = entry.toLowerCase();
    return wanted === '*' || wanted.replace(/^\[(.*)\]$/, '$1') === host || wanted === `${host}:${port}` || wanted === `[${host}]:${port}`;
  });
}

/** The host of a URL, without the brackets of an IPv6 address and without the dot at the end of a name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '').toLowerCase();
}

/** RFC 6761, section 6.3. */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
