import type { HttpRequest } from '../../../http/message.ts';
import type { Exchange, WireBreach } from '../../model/exchange.ts';

/** A mutable exchange of the transport: bytes after the response are still added to it. */
export type OpenExchange = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** A request in flight, and the promise of its caller. */
export interface Job {
  readonly baseUrl: string;
  readonly request: HttpRequest;
  /** Head and body as they go out; the head as text in which a character is a byte. */
  readonly head: string;
  /** Why it goes out a second time. */
  resent: string | undefined;
  /**
   * What the exchange before it on the same connection is to be blamed for, if this request is
   * answered well elsewhere.
   */
  suspicion: { readonly exchange: OpenExchange; readonly breach: WireBreach } | undefined;
  /** The connection that it is on, or that is made for it. */
  holder: Holder | undefined;
  resolve(exchange: Exchange): void;
  reject(reason: unknown): void;
}

/** An owner of a job that can release it. */
export interface Holder {
  /** Aborts at once, without a notification. */
  drop(): void;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** Whether a request changes nothing (RFC 9110, section 9.2.1). */
export function isSafe({ request }: Job): boolean {
  return safe.has(request.method);
}

/**
 * Whether a request may be sent twice if it is unknown whether the first one arrived (RFC 9110,
 * section 9.2.1).
 */
export function isRepeatable(job: Job): boolean {
  return job.resent === undefined && isSafe(job);
}

/** Writes a breach down in an exchange that was handed out before, once for each kind. */
export function addBreach(exchange: OpenExchange, breach: WireBreach): void {
  const known = exchange.breaches ?? [];
  if (!known.some(({ kind }) => kind === breach.kind)) exchange.breaches = [...known, breach];
}
