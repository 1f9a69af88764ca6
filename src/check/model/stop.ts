import type { TransportFault } from './exchange.ts';

/** The target could not be reached, or not any more. */
export interface Unreachable {
  readonly code: 'unreachable';
  readonly baseUrl: string;
  /** What became of the last request; left out where nothing at all is known of it. */
  readonly fault?: { readonly kind: TransportFault; readonly message: string };
  /** Whether the target answered any request of the run. */
  readonly answeredBefore: boolean;
}

/** The service answered, was sent this request, closed the connection and was gone. */
export interface ServiceStopped {
  readonly code: 'service-stopped';
  readonly baseUrl: string;
  readonly method: string;
  readonly path: string;
  /** Whether it answered again afterwards, as a service does that is restarted. */
  readonly cameBack: boolean;
}

/** The server asks for a longer pause than vouch makes, or for too many pauses. */
export interface RateLimited {
  readonly code: 'rate-limited';
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly longestWaitMs: number;
  /** The pause that was asked for, where it is longer than that. */
  readonly waitMs?: number;
}

/** Every path is answered with 404, or with a redirect. */
export interface WrongBaseUrl {
  readonly code: 'wrong-base-url';
  readonly baseUrl: string;
  readonly answers: 'not-found' | 'redirects' | 'mixed';
}

/**
 * Why a run ended before its plan did: a code and its fields. Every text about it is written from
 * them.
 */
export type Stop =
  | { readonly code: 'interrupted' }
  | Unreachable
  | ServiceStopped
  | WrongBaseUrl
  | { readonly code: 'shut-out' }
  | { readonly code: 'requests-spent'; readonly limit: number }
  | { readonly code: 'time-spent'; readonly limitMs: number }
  /** As `time-spent`, with the most telling requests sent first. */
  | { readonly code: 'budget-spent'; readonly limitMs: number }
  | RateLimited;
