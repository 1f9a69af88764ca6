import type { HttpRequest } from '../../../http/message.ts';
import type { Exchange, WireBreach } from '../../model/exchange.ts';
import { isSafe as hasSafeMethod } from '../../model/step.ts';

/** A mutable exchange of the transport: bytes after the response are still added to it. */
export type OpenExchange = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** A request in flight, and the promise of its caller. */
export interface Job {
  readonly baseUrl: string;
  readonly request: HttpRequest;
  /** Head and body as sent; the head as text with one character per byte. */
  readonly head: string;
  /** Why it is resent. */
  resent: string | undefined;
  /**
   * The violation of the previous exchange on the same connection, if this request succeeds
   * elsewhere.
   */
  suspicion: { readonly exchange: OpenExchange; readonly breach: WireBreach } | undefined;
  /** The connection that it uses, or that is opened for it. */
  holder: Holder | undefined;
  resolve(exchange: Exchange): void;
  reject(reason: unknown): void;
}

/** An owner of a job that can release it. */
export interface Holder {
  /** Aborts at once, without a notification. */
  drop(): void;
}

/** Whether a request changes nothing (RFC 9110, section 9.2.1). */
export function isSafe({ request }: Job): boolean {
  return hasSafeMethod(request);
}

/**
 * Whether a request may be sent twice if it is unknown whether the first one arrived (RFC 9110,
 * section 9.2.1).
 */
export function isRepeatable(job: Job): boolean {
  return job.resent === undefined && isSafe(job);
}

/** Adds a violation to a delivered exchange, once for each kind. */
export function addBreach(exchange: OpenExchange, breach: WireBreach): void {
  const known = exchange.breaches ?? [];
  if (!known.some(({ kind }) => kind === breach.kind)) exchange.breaches = [...known, breach];
}
