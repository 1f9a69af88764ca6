import type { JsonValue } from '../../json/value.ts';

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
