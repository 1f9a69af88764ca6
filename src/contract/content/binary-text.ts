/**
 * Bytes as a text with a character for each (U+0000 to U+00FF): what a binary body is where values
 * are JSON.
 */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The bytes of such a text; one with other characters is taken for what it says, in UTF-8. */
export function binaryBytes(text: string): Uint8Array {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : new TextEncoder().encode(text);
}
