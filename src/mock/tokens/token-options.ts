import type { Contract } from '../../contract/model.ts';
import type { MockKey } from '../security/mock-keys.ts';
import type { TokenMemory } from './token-memory.ts';

/** A person who can log in. */
export interface TokenUser {
  readonly name: string;
  readonly password: string;
  /** What tokens of this person can hold; left out: every scope. */
  readonly scopes?: readonly string[];
}

/** A program that can ask for tokens. */
export interface TokenClient {
  readonly id: string;
  /** Left out: a public client, which has none (RFC 6749, section 2.1). */
  readonly secret?: string;
  /** Where people are sent back to, beside any loopback address. */
  readonly redirectUris?: readonly string[];
  /** What tokens of this client can hold; left out: every scope. */
  readonly scopes?: readonly string[];
}

/** How tokens are made: `mock.tokens` of the configuration. */
export interface TokenSettings {
  /**
   * What the signing key is made from, so that replicas and restarts agree; left out: chosen at
   * each start.
   */
  readonly secret?: string;
  /** How many seconds an access token is good for. Default 3600. */
  readonly lifetime?: number;
  /** Left out: anybody can log in, with any password. */
  readonly users?: readonly TokenUser[];
  /** Left out: any client will do, with any secret or none. */
  readonly clients?: readonly TokenClient[];
}

/** What the mock needs for making tokens, which is not its own to choose. */
export interface TokenOptions {
  readonly settings: TokenSettings;
  /** So many random bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Shared by the mocks of one program; left out: a memory of its own. */
  readonly memory?: TokenMemory;
}

/** What the service is made from. */
export interface TokenServiceParts extends TokenOptions {
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  readonly clock: () => Date;
  /** Whether a path belongs to an operation. */
  readonly isOwned: (path: string) => boolean;
}
