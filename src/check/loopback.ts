/** Whether a URL leads to this machine: `localhost` and below, 127.0.0.0/8, `::1` (RFC 6761, section 6.3; RFC 5735). */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
