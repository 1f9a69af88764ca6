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
