/**
 * The text of some bytes, or why it cannot be had: nobody knows the charset, or the bytes do not
 * keep it.
 */
export type TextReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'broken' };

const unicode = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether bytes of a charset are UTF-8 as they stand. */
export function isUnicode(charset: string): boolean {
  return unicode.has(charset.toLowerCase());
}

/**
 * Decodes bytes of a charset, strictly: UTF-8, or any other that the WHATWG Encoding Standard
 * names.
 */
export function decodeText(bytes: Uint8Array, charset: string): TextReading {
  const decoder = isUnicode(charset) ? strict : decoderFor(charset);
  if (decoder === undefined) return { kind: 'unknown' };
  try {
    return { kind: 'text', text: decoder.decode(bytes) };
  } catch {
    return { kind: 'broken' };
  }
}

function decoderFor(charset: string): typeof strict | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}
