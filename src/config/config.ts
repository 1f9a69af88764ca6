import type { Assumption } from '../mock/mock.ts';

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write';
  /** `env:NAME`: the environment variable that holds the token. */
  readonly auth?: string;
  /** Base URLs of servers that operations name for themselves, by `x-name`. */
  readonly servers: Readonly<Record<string, string>>;
}

/** `vouch.config.yaml` as read: paths are absolute, defaults filled in. */
export interface Config {
  /** The file that it was read from; undefined where there was none. */
  readonly file?: string;
  readonly contract?: string;
  readonly mock: {
    readonly port?: number;
    readonly keys: readonly string[];
    readonly fixtures?: string;
    readonly scenarios?: string;
    readonly seed?: string;
    readonly assume: readonly Assumption[];
  };
  readonly targets: Readonly<Record<string, TargetConfig>>;
}
