import type { Latency } from '../model/knowledge.ts';
import type { Exchange, TransportFault } from '../model/exchange.ts';

/** Adds durations up; undefined where there are none. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  const sorted = durations.toSorted((left, right) => left - right);
  const { length } = sorted;
  if (length === 0) return undefined;
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * length) - 1)] ?? 0;
  const p95 = length < 2 ? rank(1) : Math.min(rank(0.95), sorted[length - 2] ?? 0);
  return { count: length, p50: rank(0.5), p95, max: sorted[length - 1] ?? 0 };
}

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
