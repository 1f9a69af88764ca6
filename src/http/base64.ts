import { decodeUtf8 } from '../json/parse-json.ts';

const alphabet = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes a base64 text (RFC 4648, section 4) as UTF-8. Returns undefined if it is not valid. */
export function decodeBase64Text(text: string): string | undefined {
  if (!alphabet.test(text)) return undefined;
  try {
    const reading = decodeUtf8(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    return reading.ok ? reading.text : undefined;
  } catch {
    // Invalid padding.
    return undefined;
  }
}
