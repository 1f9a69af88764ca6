import type { Place } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';
import type { ReplayForm } from './replay/replay-form.ts';

/**
 * Why a finding is sure: the contract says it, an RFC says MUST, meaning was read out of the
 * contract, or an RFC says SHOULD.
 */
export type Basis = 'contract' | 'protocol' | 'inferred' | 'advice';

/** `error` fails the run; `warning` and `note` do not. */
export type Severity = 'error' | 'warning' | 'note';

/** Who is to mend it; `undecided` where neither the contract nor the answer can be right alone. */
export type Blame = 'server' | 'contract' | 'undecided';

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

/**
 * What a check reports, with its basis and its place in the contract. Redacted: fit for every
 * output.
 */
export interface Finding {
  /** Stays the same from run to run as long as the cause does. */
  readonly id: string;
  readonly check: string;
  readonly basis: Basis;
  readonly severity: Severity;
  readonly blame: Blame;
  /** `GET /pets`, and its id. */
  readonly operation: { readonly id: string; readonly method: string; readonly path: string };
  /**
   * Tells causes apart that share a check and a place in the contract; absent where there is one.
   */
  readonly cause?: string;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** What was being tried: `status is not one of available, pending, sold`. */
  readonly trying: string;
  readonly pointer: Pointer;
  readonly place: Place;
  /** The lines of the contract around `place`. */
  readonly frame: string;
  /** The exchange that shows it, the shortest found; absent only where nothing was exchanged. */
  readonly exchange?: Exchange;
  /** Shell commands that show it on a fresh server, in order; secrets as `$VOUCH_TOKEN`. */
  readonly curl: readonly string[];
  /** In how many exchanges of this run it was seen, those not counted that made it sure. */
  readonly count: number;
  /** The ids of all operations that it touches. */
  readonly operations: readonly string[];
  /**
   * What the contract could say, so that the finding ends: to be merged into what stands at `at`.
   */
  readonly proposal?: { readonly at: Pointer; readonly update: JsonObject };
  /**
   * How the finding was made sure, beginning with its count: `Seen 12 times in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
  /** The first sentence of the evidence behind the count; absent in records of older versions. */
  readonly confirmation?: string;
  /**
   * The requests that show it as plain data, to be sent and judged again; absent where nothing was
   * exchanged.
   */
  readonly replay?: ReplayForm;
  /** The severity that it has by itself, where a baseline accepts it and made it a note. */
  readonly accepted?: Severity;
  /**
   * Other findings that its cause explains, whole: they are told with it, and counted nowhere else.
   * Absent where there are none.
   */
  readonly alsoSeenAs?: readonly Finding[];
}
