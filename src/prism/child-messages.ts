import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { PrismPackages } from './find-prism.ts';

/** What the child is to serve. */
export interface PrismProgram {
  readonly packages: PrismPackages;
  /** The OpenAPI document as JSON text. */
  readonly document: string;
  readonly beatMillis: number;
}

/** What the parent tells the child: first one `load`, then any number of `ask`. */
export type ToChild =
  | { readonly type: 'load'; readonly program: PrismProgram }
  | { readonly type: 'ask'; readonly id: number; readonly request: HttpRequest };

/**
 * What the child tells the parent: `loaded` or `failed` once, then answers, and a `beat` as often
 * as it was told to.
 */
export type FromChild =
  | { readonly type: 'loaded' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'beat' }
  | { readonly type: 'answered'; readonly id: number; readonly response: HttpResponse };

/** How long Prism is waited for. Times are in milliseconds. */
export interface PrismLimits {
  /** For loading Prism and the contract. */
  readonly startMillis: number;
  /** Between two signs of life of the child. */
  readonly beatMillis: number;
  /**
   * Signs of life in a row that may fail to come; after that the child counts as frozen and is
   * killed.
   */
  readonly missedBeats: number;
  /** From a whole request to its answer, restarts of the child included. */
  readonly answerMillis: number;
  /** From asking the child to end to killing it. */
  readonly endMillis: number;
}

/** The limits where nobody sets others. */
export const defaultLimits: PrismLimits = {
  startMillis: 60_000,
  beatMillis: 1_000,
  missedBeats: 5,
  answerMillis: 10_000,
  endMillis: 2_000,
};
