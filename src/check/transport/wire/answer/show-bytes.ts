const longest = 60;

/**
 * The first bytes of what came, as they stand in a sentence: printable ASCII as it is, all else
 * escaped, 60 bytes at most.
 */
export function showBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, longest), showByte).join('');
  return bytes.length > longest ? `"${shown}…" (${String(bytes.length)} bytes)` : `"${shown}"`;
}

/** The same for text in which each character is a byte. */
export function showLatin1(text: string): string {
  return showBytes(Buffer.from(text, 'latin1'));
}

const named: Readonly<Record<number, string>> = {
  9: '\\t',
  10: '\\n',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

function showByte(byte: number): string {
  const known = named[byte];
  if (known !== undefined) return known;
  return byte >= 32 && byte < 127
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`;
}
