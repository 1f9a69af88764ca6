import { decodeUtf8 } from '../json/decode-utf8.ts';

const alphabet = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The UTF-8 text whose bytes a base64 text holds (RFC 4648, section 4), or undefined where it holds
 * none.
 */
export function decodeBase64Text(text: string): string | undefined {
  if (!alphabet.test(text)) return undefined;
  try {
    const reading = decodeUtf8(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    return reading.ok ? reading.text : undefined;
  } catch {
    // Padding that does not come out even.
    return undefined;
  }
}
