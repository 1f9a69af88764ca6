import type { JsonObject } from '../../../json/value.ts';
import type { TokenReading } from './token-signer.ts';

/** The claims of a token of our own that carries rights, as they were signed. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  readonly id: string;
  readonly grant: string;
  readonly issued: number;
  readonly expires: number;
  readonly all: JsonObject;
}

/** Reads the claims of a token that was verified. */
export function readClaims({ claims: all }: Extract<TokenReading, { kind: 'own' }>): TokenClaims {
  return {
    issuer: textOf(all, 'iss') ?? '',
    subject: textOf(all, 'sub') ?? '',
    clientId: textOf(all, 'client_id') ?? '',
    person: textOf(all, 'person'),
    scopes: (textOf(all, 'scope') ?? '').split(' ').filter((scope) => scope !== ''),
    id: textOf(all, 'jti') ?? '',
    grant: textOf(all, 'grant') ?? '',
    issued: numberOf(all, 'iat'),
    expires: numberOf(all, 'exp'),
    all,
  };
}

/** A claim that is a text. */
export function textOf(claims: JsonObject, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' ? value : undefined;
}

function numberOf(claims: JsonObject, name: string): number {
  const value = claims[name];
  return typeof value === 'number' ? value : 0;
}
