import type { HttpRequest, HttpResponse } from '../../http/message.ts';

/**
 * A rule of HTTP that an answer breaks, by its family: how messages are framed, what the protocol
 * is, status, content codings.
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

/** What was seen on the wire that HTTP forbids, in a clause. */
export interface WireBreach {
  readonly kind: BreachKind;
  readonly message: string;
}

/**
 * Why no whole response came. The first four of them say that nobody was reached; a breach, that it
 * could not be read.
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

/** That a service was gone after a request, and how sure it is that the request was the reason. */
export interface ServiceEnd {
  /**
   * `cause`: the request that most probably stopped it. `beside`: one that was in flight at the
   * same time.
   */
  readonly role: 'cause' | 'beside';
  /** The other requests that were in flight: `GET /pets`. */
  readonly others: readonly string[];
  /**
   * What came of sending it again, once the service had come back; `impossible` where it did not.
   */
  readonly repeat: 'again' | 'not-again' | 'impossible';
}

/**
 * One request and what came of it. Within a run it may hold secrets; in an event and in a finding
 * it is redacted.
 */
export interface Exchange {
  /**
   * The base URL of the deployment, without a trailing slash. `request.target` holds its path too:
   * origin and target are what was asked.
   */
  readonly baseUrl: string;
  readonly request: HttpRequest;
  /** Undefined where no whole response came; `fault` then says why. */
  readonly response?: HttpResponse;
  readonly fault?: { readonly kind: TransportFault; readonly message: string };
  /**
   * What HTTP forbids in an answer that could be read all the same. Bytes that come late are added
   * while the connection is idle.
   */
  readonly breaches?: readonly WireBreach[];
  /**
   * Why the request was sent a second time: the connection had been closed before anything of an
   * answer came.
   */
  readonly resent?: string;
  /** Set where the service was gone after this request, as soon as that is known. */
  readonly serviceEnd?: ServiceEnd;
  /** From the first byte sent to the last one received. */
  readonly durationMs: number;
}
