import { wordsIn } from '../../words-in.ts';
import type { Latency } from '../model/knowledge.ts';
import type { Exchange, TransportFault } from '../model/exchange.ts';

/** Summarises durations; undefined if there are none. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  const sorted = durations.toSorted((left, right) => left - right);
  const { length } = sorted;
  if (length === 0) return undefined;
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * length) - 1)] ?? 0;
  const p95 = length < 2 ? rank(1) : Math.min(rank(0.95), sorted[length - 2] ?? 0);
  return { count: length, p50: rank(0.5), p95, max: sorted[length - 1] ?? 0 };
}

/** Faults without a response, or with one that is not HTTP/1.1. */
const silent: readonly TransportFault[] = wordsIn(
  'connection.refused dns.failed tls.failed proxy.failed connection.reset',
  'connection.truncated timeout protocol.not-http protocol.http2',
);

/**
 * Whether an HTTP server responded, even unreadably: then the server is there, and its response is
 * faulty.
 */
export function hasSpoken({ fault }: Exchange): boolean {
  return fault === undefined || !silent.includes(fault.kind);
}
