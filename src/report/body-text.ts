import { decodeUtf8 } from '../json/decode-utf8.ts';
import { countOf } from '../text/counts.ts';
import { cleanText } from '../text/safe-text.ts';

/** A body that JSON can hold: as text where its bytes are UTF-8, else as base64 (RFC 4648, section 4). */
export type BodyText = { readonly encoding: 'utf8'; readonly text: string } | { readonly encoding: 'base64'; readonly text: string };

/** The body as it can stand in a JSON document; decoding by `encoding` gives back every byte. */
export function writeBody(bytes: Uint8Array): BodyText {
  const reading = decodeUtf8(bytes);
  if (reading.ok) return { encoding: 'utf8', text: reading.text };
  return { encoding: 'base64', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
}

const mostLines = 8;
const mostCharacters = 600;

/** The beginning of a body for people: at most 8 lines and 600 characters, cleaned, with a last line that says what is left out. */
export function bodyFragment(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  const reading = decodeUtf8(bytes);
  if (!reading.ok && reading.before.length < 16) return [`(${countOf(bytes.length, 'byte')} that are no UTF-8)`];
  const text = reading.ok ? reading.text : reading.before;
  const shown = text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '').split('\n').slice(0, mostLines).join('\n');
  const rest = bytes.length - Buffer.byteLength(shown);
  const more = reading.ok ? `… (${countOf(rest, 'byte')} more)` : `… (${countOf(rest, 'byte')} more, and no UTF-8 from byte ${String(Buffer.byteLength(text))} on)`;
  return [...cleanText(shown).replace(/\n+$/, '').split('\n'), ...(rest > 0 ? [more] : [])];
}
