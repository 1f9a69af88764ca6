import type { JsonObject, JsonValue } from '../../json/value.ts';

/** What an exchange must be like. Everything named must hold; what is not named may be anything. */
export interface ExchangePattern {
  /** The id of the operation that answered. */
  readonly operation?: string;
  readonly method?: string;
  /** The whole path, base path included; `*` or `{anything}` stands for one segment. */
  readonly path?: string;
  readonly session?: string;
  /** A status, or a class of them such as `4XX`. */
  readonly status?: number | string;
  /** Query parameters by name, as texts; a list means that each of its values is there. */
  readonly query?: JsonObject;
  /** Request headers by name. */
  readonly headers?: JsonObject;
  /**
   * Members that the request's body has; of lists, every item. A text is compared with a body that
   * is no JSON.
   */
  readonly body?: JsonValue;
  /** Only exchanges after this entry, by its id, or since this moment (RFC 3339). */
  readonly since?: number | string;
}

/** What is said to have happened. With no number, that it happened at least once. */
export interface Claim extends ExchangePattern {
  readonly count?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The conditions that an exchange can be held against, in the order in which they are asked. */
const conditionNames = [
  'operation',
  'method',
  'path',
  'session',
  'status',
  'query',
  'headers',
  'body',
  'since',
] as const satisfies readonly (keyof ExchangePattern)[];
/** The members in which a claim says which exchanges it is about. */
export type ConditionName = (typeof conditionNames)[number];

/** The members that a claim may have. */
export const claimNames = [
  ...conditionNames,
  'count',
  'atLeast',
  'atMost',
] as const satisfies readonly (keyof Claim)[];
