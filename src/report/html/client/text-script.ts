import { pageTextScript } from '../../../page/text-script.ts';

/** The report's way with texts: that of every page, and bytes are shown as bytes. */
export const textScript =
  pageTextScript +
  String.raw`
function bytesOf(body) {
  if (body.encoding === 'base64') return Uint8Array.from(atob(body.text), (character) => character.charCodeAt(0));
  return new TextEncoder().encode(body.text);
}

function hexView(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(47);
    const shown = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(at.toString(16).padStart(8, '0') + '  ' + hex + '  ' + shown);
  }
  return lines.join('\n');
}

`;
