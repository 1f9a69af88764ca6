import type { Place } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Pointer } from '../json/pointer.ts';

/** Why a finding is sure: the contract says it, an RFC says MUST, meaning was read out of the contract, or an RFC says SHOULD. */
export type Basis = 'contract' | 'protocol' | 'inferred' | 'advice';

/** `error` fails the run; `warning` and `note` do not. */
export type Severity = 'error' | 'warning' | 'note';

/** Who is to mend it; `undecided` where neither the contract nor the answer can be right alone. */
export type Blame = 'server' | 'contract' | 'undecided';

/** Why no whole response came. */
export type TransportFault =
  | 'timeout'
  | 'connection-refused'
  | 'name-not-found'
  | 'tls-failed'
  | 'connection-reset'
  | 'connection-truncated'
  | 'body-too-large'
  | 'headers-too-large'
  | 'malformed-response';

/** One request and what came of it. Within a run it may hold secrets; in an event and in a finding it is redacted. */
export interface Exchange {
  /** The base URL of the deployment, without a trailing slash. `request.target` holds its path too: origin and target are what was asked. */
  readonly baseUrl: string;
  readonly request: HttpRequest;
  /** Undefined where no whole response came; `fault` then says why. */
  readonly response?: HttpResponse;
  readonly fault?: { readonly kind: TransportFault; readonly message: string };
  /** From the first byte sent to the last one received. */
  readonly durationMs: number;
}

/** What a check reports, with its basis and its place in the contract. Redacted: fit for every output. */
export interface Finding {
  /** Stays the same from run to run as long as the cause does. */
  readonly id: string;
  readonly check: string;
  readonly basis: Basis;
  readonly severity: Severity;
  readonly blame: Blame;
  /** `GET /pets`, and its id. */
  readonly operation: { readonly id: string; readonly method: string; readonly path: string };
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
  /** How often it was seen in this run. */
  readonly count: number;
  /** The ids of all operations that it touches. */
  readonly operations: readonly string[];
  /** How the finding was made sure: `control accepted, repeated twice`. */
  readonly evidence: string;
}
