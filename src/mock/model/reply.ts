import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';

/** What a behaviour answers, not yet judged and written. */
export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Undefined: no body at all. */
  readonly body: JsonValue | undefined;
  /** The body as JSON, where that is at hand; then it is known to keep its schema. */
  readonly bytes?: Uint8Array;
  readonly headers: HeaderList;
  /** How many records there are in all, where the answer is a part of them. */
  readonly total?: number;
  /** What the answer shows a form of, such as a record; the body where nothing is said. */
  readonly state?: JsonValue;
}

/** A reply with a body and nothing else to say. */
export function makeReply(
  status: number,
  body: JsonValue | undefined,
  more: Partial<Pick<Reply, 'headers' | 'total' | 'state'>> = {},
): Reply {
  return {
    kind: 'reply',
    status,
    body,
    headers: more.headers ?? [],
    ...(more.total === undefined ? {} : { total: more.total }),
    ...(more.state === undefined ? {} : { state: more.state }),
  };
}

/**
 * What the mock assumes where the contract is silent. Declared in the configuration, with the
 * reason.
 */
export interface Assumption {
  /** An operation's id. */
  readonly operation: string;
  /** The status of its success, where the contract leaves that open. */
  readonly status?: number;
  /** The body of its success, where the contract leaves that open. */
  readonly body?: JsonValue;
  /** Values of request fields that were left out. */
  readonly default?: { readonly [field: string]: JsonValue };
  readonly because: string;
}

/**
 * `known`: only the configured keys. `any`: every well-formed credential. `off`: none is needed.
 */
export type AuthenticationMode = 'known' | 'any' | 'off';
