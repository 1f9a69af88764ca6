import type { HttpRequest } from '../../http/message.ts';
import type { Exchange } from '../model/exchange.ts';

/**
 * Sends one request to the origin of a base URL and answers what came of it, faults included.
 * Rejects only when the signal is aborted, or with an UnsendableRequest; redirects are not followed
 * and bodies are left as they came.
 */
export type Send = (
  baseUrl: string,
  request: HttpRequest,
  signal: AbortSignal,
) => Promise<Exchange>;

/** A way to send, and the connections behind it. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}
