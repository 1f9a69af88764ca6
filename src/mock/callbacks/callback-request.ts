import type { HeaderList } from '../../http/message.ts';

/** A request that the service sends. */
export interface OutgoingRequest {
  readonly kind: 'sendable';
  /** The name of the callback or webhook in the contract. */
  readonly name: string;
  /** The id of the operation that triggers it; undefined for a webhook. */
  readonly operation?: string;
  readonly method: string;
  /** Absolute, `http` or `https`. */
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** A callback that cannot be made, and why: a clause without a subject. */
export interface UnsendableCallback {
  readonly kind: 'unsendable';
  readonly name: string;
  readonly operation?: string;
  readonly reason: string;
}

/** The result for one callback of a successful operation. */
export type CallbackRequest = OutgoingRequest | UnsendableCallback;
