import type { HttpRequest, HttpResponse } from '../http/message.ts';

/** The entry files of the two packages of Prism's core. */
export interface PrismPackages {
  readonly http: string;
  readonly core: string;
}

/** The program of the child process. */
export interface PrismProgram {
  readonly packages: PrismPackages;
  /** The OpenAPI document as JSON text. */
  readonly document: string;
  /** Whether answers are generated unless a request prefers otherwise: `prism mock --dynamic`. */
  readonly dynamic: boolean;
  readonly beatMillis: number;
}

/** Messages from the parent to the child: one `load`, then any number of `ask`. */
export type ToChild =
  | { readonly type: 'load'; readonly program: PrismProgram }
  | { readonly type: 'ask'; readonly id: number; readonly request: HttpRequest };

/**
 * Messages from the child to the parent: `loaded` or `failed` once, then answers, and a `beat` at
 * the configured interval.
 */
export type FromChild =
  | { readonly type: 'loaded' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'beat' }
  | { readonly type: 'answered'; readonly id: number; readonly response: HttpResponse };

/** Timeouts for Prism, in milliseconds. */
export interface PrismLimits {
  /** The timeout for loading Prism and the contract. */
  readonly startMillis: number;
  /** The interval between two heartbeats of the child. */
  readonly beatMillis: number;
  /** The number of missed heartbeats after which the child counts as frozen and is killed. */
  readonly missedBeats: number;
  /** The timeout from a complete request to its response, including restarts of the child. */
  readonly answerMillis: number;
  /** The timeout from SIGTERM to SIGKILL. */
  readonly endMillis: number;
}

/** The default timeouts. */
export const defaultLimits: PrismLimits = {
  startMillis: 60_000,
  beatMillis: 1_000,
  missedBeats: 5,
  answerMillis: 10_000,
  endMillis: 2_000,
};
