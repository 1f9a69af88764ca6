import type { Contract } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { MockKey } from '../security/mock-keys.ts';
import type { DeclaredScopes } from './declared-scopes.ts';
import type { DeviceLogins } from './device/device-logins.ts';
import type { Ledger } from './token-memory.ts';
import type { TokenOptions } from './token-options.ts';
import type { TokenSigner } from './signing/token-signer.ts';

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
