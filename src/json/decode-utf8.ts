/**
 * The text of some bytes, or the offset (in characters of the text before it) of the first byte
 * that is not UTF-8.
 */
export type Utf8Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly before: string; readonly offset: number };

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const replacement = '\uFFFD';

/**
 * Decodes UTF-8 and refuses anything else: overlong forms, surrogates, cut sequences (RFC 3629). A
 * byte order mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array): Utf8Reading {
  const guess = asBuffer(bytes).toString();
  if (!guess.includes(replacement)) return { ok: true, text: guess };
  try {
    return { ok: true, text: strict.decode(bytes) };
  } catch {
    const text = lenient.decode(bytes);
    const offset = firstReplacement(text, bytes);
    return { ok: false, before: text.slice(0, offset), offset };
  }
}

/**
 * A Buffer decodes in half the time, and replaces invalid bytes with U+FFFD: without any, the text
 * was valid.
 */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The first U+FFFD that stands for broken bytes, and not for one that was sent as such. */
function firstReplacement(text: string, bytes: Uint8Array): number {
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    byte += encoder.encode(text.slice(from, at)).length;
    const sentAsSuch = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd;
    if (!sentAsSuch) return at;
    byte += 3;
    from = at + 1;
  }
  return text.length;
}
