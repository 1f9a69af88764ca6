/** Whether a URL leads to this machine: `localhost` and below, 127.0.0.0/8, `::1` (RFC 6761, section 6.3; RFC 5735). */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

const metadataNames: readonly string[] = ['metadata', 'metadata.google.internal', 'instance-data', 'instance-data.ec2.internal'];

/** Whether a URL leads to a link-local address (RFC 3927, RFC 4291, section 2.5.6) or to a name or address that clouds keep for metadata. */
export function isMetadataHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '').toLowerCase();
  if (/^169\.254\./.test(host) || host === '100.100.100.200' || metadataNames.includes(host)) return true;
  return /^\[(fe[89ab][0-9a-f]:|fd00:ec2:|::ffff:a9fe:)/.test(host);
}
