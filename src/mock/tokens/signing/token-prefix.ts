/** Under which path the mock issues tokens, whatever the host is called. */
export const tokenPrefix = '/__vouch/oauth2';

/**
 * Whether an issuer is this mock, under any of its names: replicas and `localhost` differ in the
 * host alone.
 */
export function isOwnIssuer(issuer: string): boolean {
  return issuer.endsWith(tokenPrefix);
}
