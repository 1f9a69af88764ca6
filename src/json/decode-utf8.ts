/**
 * The decoded text, or the offset of the first invalid byte, in characters of the text before it.
 */
export type Utf8Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly before: string; readonly offset: number };

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const replacement = '\uFFFD';

/**
 * Decodes UTF-8 strictly: refuses overlong forms, surrogates and incomplete sequences (RFC 3629).
 * Keeps a byte order mark.
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
 * Buffer decodes twice as fast but replaces invalid bytes by U+FFFD: a result without that
 * character is valid.
 */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The first U+FFFD that replaces invalid bytes; the input can also contain that character itself.
 */
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
