/**
 * Percent-decodes a text (RFC 3986, section 2.1). Returns undefined for an invalid escape or bytes
 * that are not UTF-8. `+` stays `+`.
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Like `decodePercent` for a query, where `+` is a space (application/x-www-form-urlencoded). */
export function decodeQueryPercent(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}

const unreserved = /^[\w.~-]*$/;
const notUnreserved = /[!'()*]/g;

/**
 * Percent-encodes every character that is not unreserved (RFC 3986, section 2.3). Half of a
 * surrogate pair becomes U+FFFD.
 */
export function encodePercent(text: string): string {
  if (unreserved.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    notUnreserved,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Why `decodePercent` refuses a text, as a clause: `holds \`%zz\`, which is no percent-escape`. */
export function describeBrokenPercent(text: string): string {
  const broken = brokenEscape.exec(text);
  if (broken !== null) {
    const found = text.slice(broken.index, broken.index + 3);
    return `holds \`${found}\`, which is not a valid percent-escape (write % as %25)`;
  }
  return 'holds percent-escapes that are not UTF-8';
}
