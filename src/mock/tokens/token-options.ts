import type { Contract } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { MockKey } from '../security/credentials.ts';
import type { DeclaredScopes } from './declared-scopes.ts';
import type { TokenSigner } from './signing/token-signer.ts';
import type { DeviceLogins, Ledger, TokenMemory } from './token-memory.ts';

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

/** What making tokens takes, besides the request. */
export interface TokenParts extends TokenOptions {
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  readonly signer: TokenSigner;
  readonly ledger: Ledger;
  readonly devices: DeviceLogins;
  /** Read out of the contract once, when first asked for. */
  readonly declared: () => DeclaredScopes;
}

/** A request to the token endpoints. */
export interface TokenVisit {
  readonly parts: TokenParts;
  readonly request: HttpRequest;
  /** The path that was asked for, as it stands on the wire. */
  readonly path: string;
  readonly issuer: string;
  readonly now: Date;
}

/** Answers one of the endpoints. */
export type AnswerTokenVisit = (visit: TokenVisit) => Promise<HttpResponse> | HttpResponse;

/** A random name that nobody guesses, in characters that a URL holds. */
export function makeName({ random }: TokenParts): string {
  return Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Seconds since 1970, as tokens count (RFC 7519, section 2). */
export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
