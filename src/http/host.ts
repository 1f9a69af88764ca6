import { headerValue, type HttpRequest } from './message.ts';

/** The host of a URL, without the brackets of an IPv6 address and the trailing dot of a name. */
export function hostOf(url: URL): string {
  return plainHost(url.hostname);
}

/**
 * Whether a host is this machine: `localhost` and its subdomains, 127.0.0.0/8, `::1` (RFC 6761,
 * section 6.3; RFC 6890, section 2.2).
 */
export function isLoopbackHost(host: string): boolean {
  const plain = plainHost(host);
  if (plain === 'localhost' || plain.endsWith('.localhost')) return true;
  const address = readAddress(plain);
  if (address === undefined) return false;
  return isMappedIPv4(address)
    ? address[6] >> 8 === 127
    : address.every((group, index) => group === (index === 7 ? 1 : 0));
}

const metadataNames: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
];
const metadataIPv4: readonly string[] = ['100.100.100.200', '192.0.0.192'];

/**
 * Whether a host is a link-local address (RFC 3927; RFC 4291, section 2.5.6) or a metadata service
 * of a cloud, which serves credentials.
 */
export function isMetadataHost(host: string): boolean {
  const plain = plainHost(host);
  if (metadataNames.includes(plain)) return true;
  const address = readAddress(plain);
  if (address === undefined) return false;
  if (isMappedIPv4(address) || isTranslatedIPv4(address))
    return address[6] === 0xa9fe || metadataIPv4.includes(writeIPv4(address));
  return (address[0] & 0xffc0) === 0xfe80 || (address[0] === 0xfd00 && address[1] === 0x0ec2);
}

function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The eight groups of an IPv6 address; an IPv4 address is mapped to IPv6 (RFC 4291, section
 * 2.5.5.2).
 */
type Address = readonly [number, number, number, number, number, number, number, number];

function readAddress(host: string): Address | undefined {
  const text = `http://[${host.includes(':') ? host.replace(/%.*$/, '') : `::ffff:${host}`}]`;
  if (!URL.canParse(text)) return undefined;
  // URL normalizes addresses: hexadecimal groups, the longest run of zeros left out.
  const [head = '', tail] = new URL(text).hostname.slice(1, -1).split('::');
  const [before, after] = [readGroups(head), readGroups(tail ?? '')];
  // Fills in the zeros that `::` replaces.
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  const groups = [...before, ...zeros, ...after];
  return isAddress(groups) ? groups : undefined;
}

function isAddress(groups: readonly number[]): groups is Address {
  return groups.length === 8;
}

function readGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function isMappedIPv4(address: Address): boolean {
  return address[5] === 0xffff && address.slice(0, 5).every((group) => group === 0);
}

/** RFC 6052, section 2.1. */
function isTranslatedIPv4(address: Address): boolean {
  return (
    address[0] === 0x64 &&
    address[1] === 0xff9b &&
    address.slice(2, 6).every((group) => group === 0)
  );
}

function writeIPv4(address: Address): string {
  return [address[6] >> 8, address[6] & 0xff, address[7] >> 8, address[7] & 0xff].join('.');
}

/**
 * The scheme of a request: from the headers of a TLS proxy in front of this server, otherwise of
 * the connection.
 */
export function schemeOf({
  scheme,
  headers,
}: Pick<HttpRequest, 'scheme' | 'headers'>): 'http' | 'https' {
  // With several proxies, the first value is the one that the client connects to.
  const forwarded = headerValue(headers, 'x-forwarded-proto')
    ?.split(',', 1)[0]
    ?.trim()
    .toLowerCase();
  return forwarded === 'https' ? 'https' : (scheme ?? 'http');
}

/** Scheme and host of a request: `https://localhost:4010`. Undefined without a Host header. */
export function originOf(request: Pick<HttpRequest, 'scheme' | 'headers'>): string | undefined {
  const host = headerValue(request.headers, 'host');
  return host === undefined || host === '' ? undefined : `${schemeOf(request)}://${host}`;
}
