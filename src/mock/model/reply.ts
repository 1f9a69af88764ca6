import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';

/** The result of a behaviour, before validation and serialization. */
export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Undefined: no body. */
  readonly body: JsonValue | undefined;
  /** The body as JSON, if it is known; it is then known to be valid. */
  readonly bytes?: Uint8Array;
  /** The media type of a body that has its own, such as a file; default: the negotiated one. */
  readonly mediaType?: string;
  readonly headers: HeaderList;
  /** The total number of records, if the response is a part of them. */
  readonly total?: number | undefined;
  /** The state that the response represents, such as a record; default: the body. */
  readonly state?: JsonValue | undefined;
}

/** A reply with only a body. */
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
    total: more.total,
    state: more.state,
  };
}

/** An assumption for a gap of the contract, from the configuration, with its reason. */
export interface Assumption {
  /** An operation's id. */
  readonly operation: string;
  /** The status of a success, if the contract does not state it. */
  readonly status?: number;
  /** The body of a success, if the contract does not describe it. */
  readonly body?: JsonValue;
  /** Values of omitted request fields. */
  readonly default?: { readonly [field: string]: JsonValue };
  readonly because: string;
}

/** `known`: only the configured keys. `any`: every well-formed credential. `off`: none required. */
export type AuthenticationMode = 'known' | 'any' | 'off';

/**
 * What happens to requests that violate the contract. `on`: they are refused. `warn`: they are
 * answered, and a response header and the journal say what is wrong. `off`: they are answered.
 */
export const validationModes = ['on', 'warn', 'off'] as const;
export type ValidationMode = (typeof validationModes)[number];
