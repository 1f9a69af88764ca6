import type { EffectOverrides, ResourceOverrides } from '../contract/model.ts';
import type { VouchError } from '../errors.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Assumption } from '../mock/model/reply.ts';
import type { MockKey } from '../mock/security/mock-keys.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';

/** Something that a check is not to ask, or not to count. */
export interface SkipConfig {
  readonly operation?: string;
  readonly check?: string;
  readonly reason: string;
  /** The last day, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** How deployments are checked: for all of them, or for one. */
export interface CheckConfig {
  /** Requests a second. */
  readonly rate?: number;
  readonly maxRequests?: number;
  /** Seconds, for the whole run and for one request. */
  readonly maxTime?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Values of parameters, by operation id and parameter name. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  readonly skip?: readonly SkipConfig[];
  /** How bad the findings of a check are, by its id. */
  readonly checks?: Readonly<Record<string, 'off' | 'note' | 'warning' | 'error'>>;
  /** From how many milliseconds on an operation counts as slow. */
  readonly slowMs?: number;
  readonly failOn?: 'note' | 'warning' | 'error';
  /** What operations do where vouch reads it wrongly, by operation id. */
  readonly effects?: EffectOverrides;
  /** Operations that are sent whatever they do, by operation id. */
  readonly allow?: readonly string[];
}

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig extends CheckConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write' | 'fuzz';
  /**
   * `env:NAME`: the environment variable that holds the token; or one for each security scheme, by
   * its name.
   */
  readonly auth?: string | Readonly<Record<string, string>>;
  /**
   * Headers to send with every request, by name: a literal value, or `env:NAME` for a secret one.
   */
  readonly headers?: Readonly<Record<string, string>>;
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
  /** The most bytes of memory that added and changed records may take, roughly. */
  readonly maxBytes?: number;
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
  /** How every deployment is checked, unless its target says otherwise. */
  readonly check?: CheckConfig;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /**
   * Complains about a place in the file, with line and column; undefined where there is no file.
   */
  fault?(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** What holds where nobody configured anything. */
export const emptyConfig: Config = { mock: {}, targets: {} };
