/**
 * The result for a JSON Web Token. `foreign`: this mock did not sign it. `spoilt`: it did, but the
 * token is no longer valid.
 */
export type TokenVerdict =
  | { readonly kind: 'good'; readonly scopes: readonly string[] }
  | {
      readonly kind: 'spoilt' | 'foreign' /** A clause: `The access token expired`. */;
      readonly reason: string;
    };

/** Verifies tokens. */
export interface TokenJudge {
  judge(token: string, now: Date): Promise<TokenVerdict>;
}

/** The path under which the mock issues tokens, on any host. */
export const tokenPrefix = '/__vouch/oauth2';

/**
 * Whether an issuer is this mock, under any of its names: replicas and `localhost` differ only in
 * the host.
 */
export function isOwnIssuer(issuer: string): boolean {
  return issuer.endsWith(tokenPrefix);
}
