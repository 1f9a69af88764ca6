import type { Assumption } from '../mock/mock.ts';

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write';
  /** `env:NAME`: the environment variable that holds the token. */
  readonly auth?: string;
  /** Base URLs of servers that operations name for themselves, by `x-name`. */
  readonly servers?: Readonly<Record<string, string>>;
}

export interface MockConfig {
  /** The first port to try. */
  readonly port?: number;
  /** The credentials that the mock knows. */
  readonly keys?: readonly string[];
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly seed?: string;
  readonly assume?: readonly Assumption[];
}

/** `vouch.config.yaml` as read; every path in it is absolute. */
export interface Config {
  /** The file that it was read from; undefined where there was none. */
  readonly file?: string;
  readonly contract?: string;
  readonly mock: MockConfig;
  readonly targets: Readonly<Record<string, TargetConfig>>;
}

/** What holds where nobody configured anything. */
export const emptyConfig: Config = { mock: {}, targets: {} };
