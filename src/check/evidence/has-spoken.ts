import type { Exchange, TransportFault } from '../model/exchange.ts';

/** Nothing of an answer came, or what came is no HTTP/1.1. */
const silent: readonly TransportFault[] = [
  'connection.refused',
  'dns.failed',
  'tls.failed',
  'proxy.failed',
  'connection.reset',
  'connection.truncated',
  'timeout',
  'protocol.not-http',
  'protocol.http2',
];

/**
 * Whether an HTTP server answered, be it in a way that cannot be read: then somebody is there, and
 * what is wrong is its answer.
 */
export function hasSpoken({ fault }: Exchange): boolean {
  return fault === undefined || !silent.includes(fault.kind);
}
