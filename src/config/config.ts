import type { ResourceOverrides } from '../contract/model.ts';
import type { Assumption } from '../mock/mock.ts';
import type { MockKey } from '../mock/request/is-known-key.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write';
  /** `env:NAME`: the environment variable that holds the token. */
  readonly auth?: string;
  /** Base URLs of servers that operations name for themselves, by `x-name`. */
  readonly servers?: Readonly<Record<string, string>>;
}

/** The part `mock` of `vouch.config.yaml`. */
export interface MockConfig {
  /** The first port to try. */
  readonly port?: number;
  /** The credentials that the mock knows; each opens everything, or what its scopes say. */
  readonly keys?: readonly MockKey[];
  /** How tokens are made. */
  readonly tokens?: TokenSettings;
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly seed?: string;
  /** How many records a collection starts with that has neither fixtures nor examples. */
  readonly seedRecords?: number;
  /** What people say of resources where inference is wrong. */
  readonly resources?: ResourceOverrides;
  /** The file that keeps what sessions change over restarts. */
  readonly persist?: string;
  /** The URL of a Redis that several mocks share, or `env:NAME`. */
  readonly store?: string;
  /** The most records that may be added, over all sessions. */
  readonly maxRecords?: number;
  readonly assume?: readonly Assumption[];
}

/** One contract of several that are served on one port. */
export interface DocumentConfig {
  readonly contract: string;
  /** The word for it in messages, and before what two contracts call the same. */
  readonly name?: string;
  /** The base path in the place of the document's own. */
  readonly base?: string;
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly assume?: readonly Assumption[];
  readonly resources?: ResourceOverrides;
}

/** `vouch.config.yaml` as read; every path in it is absolute. */
export interface Config {
  /** The file that it was read from; undefined where there was none. */
  readonly file?: string;
  readonly contract?: string;
  /** Several contracts on one port. */
  readonly documents?: readonly DocumentConfig[];
  readonly mock: MockConfig;
  readonly targets: Readonly<Record<string, TargetConfig>>;
}

/** What holds where nobody configured anything. */
export const emptyConfig: Config = { mock: {}, targets: {} };
