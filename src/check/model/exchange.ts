import type { HttpRequest, HttpResponse } from '../../http/message.ts';

/**
 * A rule of HTTP that a response violates, by family: framing, protocol, status, content codings.
 */
export type BreachKind =
  | 'framing.extra-bytes'
  | 'framing.second-response'
  | 'framing.body-not-allowed'
  | 'framing.length-not-allowed'
  | 'framing.length-repeated'
  | 'framing.length-conflict'
  | 'framing.length-invalid'
  | 'framing.length-and-coding'
  | 'framing.transfer-encoding'
  | 'framing.chunk-size'
  | 'framing.chunk-end'
  | 'framing.bare-lf'
  | 'framing.header-line'
  | 'framing.header-value'
  | 'framing.header-fold'
  | 'protocol.not-http'
  | 'protocol.http2'
  | 'protocol.version'
  | 'protocol.unsolicited-upgrade'
  | 'protocol.interim-flood'
  | 'status.invalid'
  | 'encoding.unknown'
  | 'encoding.mismatch'
  | 'encoding.chain';

/** A violation of HTTP on the wire, as a clause. */
export interface WireBreach {
  readonly kind: BreachKind;
  readonly message: string;
}

/**
 * Why there is no complete response. The first four mean that no server was reached; a breach, that
 * it could not be read.
 */
export type TransportFault =
  | 'connection.refused'
  | 'dns.failed'
  | 'tls.failed'
  | 'proxy.failed'
  | 'connection.reset'
  | 'connection.truncated'
  | 'timeout'
  | 'body.too-large'
  | 'headers.too-large'
  | BreachKind;

/** A request without a response, as a message names it. */
export interface InFlight {
  readonly name: string;
  readonly exchange: Exchange;
}

/** That a service stopped while a request was in flight, and what is known of the cause. */
export interface ServiceEnd {
  /**
   * `cause`: the request that stopped it: no other was in flight, or it did so again. `open`: the
   * first of several, any of which may be the cause. `beside`: another one of them.
   */
  readonly role: 'cause' | 'open' | 'beside';
  /** The other requests that were in flight. */
  readonly others: readonly InFlight[];
  /** The result of sending it again after the service restarted; `impossible` if it did not. */
  readonly repeat: 'again' | 'not-again' | 'impossible';
}

/**
 * One request and its result. Within a run it may contain secrets; in an event and in a finding it
 * is redacted.
 */
export interface Exchange {
  /**
   * The base URL of the deployment, without a trailing slash. `request.target` includes its path:
   * the URL is its origin and the target.
   */
  readonly baseUrl: string;
  readonly request: HttpRequest;
  /** Undefined without a complete response; `fault` then says why. */
  readonly response?: HttpResponse | undefined;
  readonly fault?: { readonly kind: TransportFault; readonly message: string } | undefined;
  /**
   * Violations of HTTP in a response that could be read. Bytes that arrive late are added while the
   * connection is idle.
   */
  readonly breaches?: readonly WireBreach[];
  /**
   * Why the request was sent a second time: the connection was closed before the response began.
   */
  readonly resent?: string;
  /** Set if the service stopped after this request, as soon as that is known. */
  readonly serviceEnd?: ServiceEnd;
  /** From the first byte sent to the last one received; of a stream that was cut, to its header. */
  readonly durationMs: number;
}
