import { redacted } from './hide-named.ts';

/** A signed or encrypted token (RFC 7519): its first part is the start of an object. */
const signedToken = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*){1,3}/g;
/** A credential of a header (RFC 6750, 7617); words of a sentence are shorter, without a digit. */
const schemeValue = /\b(Bearer|Basic) +(?=[^\s"',;]*\d|[^\s"',;]{24})([\w.~+/-]{8,}=*)/gi;
const privateKey = /-----BEGIN ([A-Z ]{0,30}PRIVATE KEY)-----[^]*?(?:-----END \1-----|$)/g;
const userPassword =
  /\b([a-z][a-z0-9+.-]{0,20}:(?:\\?\/){2}[^\s/:@"'<>?#\\]{0,200}):([^\s/@"'<>?#]{1,200})@/gi;
const word = /[^\s"'<>]+/g;

/**
 * Hides secrets by their form alone, whatever their name: signed tokens, credentials after their
 * scheme, private keys, passwords in URLs, and codes of an authorization response.
 */
export function hideShaped(text: string, isHarmless: (value: string) => boolean): string {
  let shown = text;
  if (shown.includes('eyJ')) shown = shown.replaceAll(signedToken, redacted);
  if (shown.includes('-----BEGIN ')) shown = shown.replaceAll(privateKey, redacted);
  if (shown.includes('@')) shown = shown.replaceAll(userPassword, `$1:${redacted}@`);
  if (shown.includes('code=') && shown.includes('state=')) shown = shown.replaceAll(word, hideCode);
  return shown.replaceAll(schemeValue, (all, scheme: string, value: string) =>
    isHarmless(value) ? all : `${scheme} ${redacted}`,
  );
}

/** The code of an authorization response stands beside a state (RFC 6749, section 4.1.2). */
function hideCode(url: string): string {
  return /[?&#]state=/.test(url) ? url.replaceAll(/([?&#]code=)[^&#]+/g, `$1${redacted}`) : url;
}
