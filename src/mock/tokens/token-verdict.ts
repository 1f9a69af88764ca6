/**
 * What a JSON Web Token turns out to be. `foreign`: this mock never signed it. `spoilt`: it did,
 * and the token is good for nothing now.
 */
export type TokenVerdict =
  | { readonly kind: 'good'; readonly scopes: readonly string[] }
  | {
      readonly kind: 'spoilt' | 'foreign' /** A clause: `The access token expired`. */;
      readonly reason: string;
    };

/** Judges tokens. */
export interface TokenJudge {
  judge(token: string, now: Date): Promise<TokenVerdict>;
}

/** Under which path the mock issues tokens, whatever the host is called. */
export const tokenPrefix = '/__vouch/oauth2';

/**
 * Whether an issuer is this mock, under any of its names: replicas and `localhost` differ in the
 * host alone.
 */
export function isOwnIssuer(issuer: string): boolean {
  return issuer.endsWith(tokenPrefix);
}
