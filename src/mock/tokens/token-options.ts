import type { Contract } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { MockKey } from '../security/credentials.ts';
import type { DeclaredScopes } from './declared-scopes.ts';
import type { TokenSigner } from './signing/token-signer.ts';
import type { Ledger, TokenMemory } from './token-memory.ts';

/** A person who can log in. */
export interface TokenUser {
  readonly name: string;
  readonly password: string;
  /** The maximum scopes of this person's tokens; default: all. */
  readonly scopes?: readonly string[];
}

/** A program that can request tokens. */
export interface TokenClient {
  readonly id: string;
  /** Default: a public client, which has none (RFC 6749, section 2.1). */
  readonly secret?: string;
  /** The allowed redirect URIs, besides any loopback address. */
  readonly redirectUris?: readonly string[];
  /** The maximum scopes of this client's tokens; default: all. */
  readonly scopes?: readonly string[];
}

/** The settings of tokens: `mock.tokens` of the configuration. */
export interface TokenSettings {
  /** The source of the signing key, for replicas and restarts; default: random at each start. */
  readonly secret?: string;
  /** The lifetime of an access token in seconds. Default 3600. */
  readonly lifetime?: number;
  /** Default: anyone can log in, with any password. */
  readonly users?: readonly TokenUser[];
  /** Default: any client is accepted, with any secret or none. */
  readonly clients?: readonly TokenClient[];
}

/** The dependencies of the token service. */
export interface TokenOptions {
  readonly settings: TokenSettings;
  /** Returns that many random bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Shared by the mocks of one program; default: a new memory. */
  readonly memory?: TokenMemory;
}

export interface TokenServiceParts extends TokenOptions {
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  readonly clock: () => Date;
  /** Whether a path belongs to an operation. */
  readonly isOwned: (path: string) => boolean;
}

/** What the endpoints need, besides the request. */
export interface TokenParts extends TokenOptions, Pick<TokenServiceParts, 'contract' | 'keys'> {
  readonly signer: TokenSigner;
  readonly ledger: Ledger;
  /** Read from the contract once, on first use. */
  readonly declared: () => DeclaredScopes;
}

export interface TokenVisit {
  readonly parts: TokenParts;
  readonly request: HttpRequest;
  /** The requested path, undecoded. */
  readonly path: string;
  readonly issuer: string;
  readonly now: Date;
}

/** Handles requests to one endpoint. */
export type AnswerTokenVisit = (visit: TokenVisit) => Promise<HttpResponse> | HttpResponse;

/** An unguessable random name of URL-safe characters. */
export function makeName({ random }: TokenParts): string {
  return Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Seconds since 1970, the unit of tokens (RFC 7519, section 2). */
export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
