/**
 * The same token with the case of its letters inverted; for a pair only the password, since user
 * names are often case-insensitive. Undefined if nothing changes: it has no letters, or they are
 * digits of a number, as in a UUID.
 */
export function inOtherCase(token: string): string | undefined {
  const at = token.indexOf(':') + 1;
  const secret = token.slice(at);
  if (/^[0-9a-f-]*$/i.test(secret) || !/[a-z]/i.test(secret)) return undefined;
  return (
    token.slice(0, at) +
    secret.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
  );
}
