import type { HeaderList } from '../../http/message.ts';

/**
 * A request that the service makes: where it goes, and all of it that is known before it is sent.
 */
export interface OutgoingRequest {
  readonly kind: 'sendable';
  /** The callback's name in the contract, or the webhook's. */
  readonly name: string;
  /** The id of the operation that it follows from; undefined for a webhook. */
  readonly operation?: string;
  readonly method: string;
  /** Absolute, `http` or `https`. */
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** A callback that is due and cannot be made, and why: a clause without a subject. */
export interface UnsendableCallback {
  readonly kind: 'unsendable';
  readonly name: string;
  readonly operation?: string;
  readonly reason: string;
}

/** What becomes of one callback of an operation that has succeeded. */
export type CallbackRequest = OutgoingRequest | UnsendableCallback;
