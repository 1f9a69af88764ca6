import type { Contract } from '../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import type { Fixtures, Store } from '../store/store.ts';
import type { Scenario } from './scenario.ts';

/** What the mock assumes where the contract is silent. Declared in the configuration, with the reason. */
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

/** `known`: only the configured keys. `any`: every well-formed credential. `off`: none is needed. */
export type AuthenticationMode = 'known' | 'any' | 'off';

export interface MockOptions {
  readonly contract: Contract;
  readonly store: Store;
  readonly fixtures: Fixtures;
  readonly scenarios: readonly Scenario[];
  readonly assumptions: readonly Assumption[];
  readonly keys: readonly string[];
  readonly authentication: AuthenticationMode;
  /** The present moment; every timestamp and date rule follows it. */
  readonly clock: () => Date;
  /** The same request and seed get the same generated answer. */
  readonly seed: string;
  /** A scenario that is on for every request, by name. */
  readonly scenario?: string;
  /** Names a new record that is told apart by a text; a uuid unless told otherwise. */
  readonly makeId: () => string;
}

/** What the mock answers, and how long it is to wait first. */
export interface Answer extends HttpResponse {
  readonly delayMs: number;
  /** The id of the operation that answered, where one did. */
  readonly operation?: string;
}

/** A contract brought to life: a request in, an answer out. Never throws for a request, whatever it holds. */
export interface Mock {
  answer(request: HttpRequest): Promise<Answer>;
  /** Back to the fixtures, and every scenario to its first step. */
  reset(): Promise<void>;
}
