import { decodeUtf8 } from '../json/decode-utf8.ts';
import { countOf } from '../text/counts.ts';
import { cleanText } from '../text/safe-text.ts';
import { matterStart, type BodyMatter } from './body-matter.ts';

/**
 * A body that JSON can hold: as text where its bytes are UTF-8, else as base64 (RFC 4648, section
 * 4).
 */
export type BodyText =
  | { readonly encoding: 'utf8'; readonly text: string }
  | { readonly encoding: 'base64'; readonly text: string };

/** The body as it can stand in a JSON document; decoding by `encoding` gives back every byte. */
export function writeBody(bytes: Uint8Array): BodyText {
  const reading = decodeUtf8(bytes);
  if (reading.ok) return { encoding: 'utf8', text: reading.text };
  return {
    encoding: 'base64',
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  };
}

const mostLines = 8;
const mostCharacters = 600;

/** Characters before the part of a body that matters, where the body does not begin with it. */
const before = 120;

/**
 * A part of a body for people: at most 8 lines and 600 characters, cleaned, with lines that say
 * what is left out. It is the beginning, unless `matter` stands in the body and only further on.
 */
export function bodyFragment(bytes: Uint8Array, matter?: BodyMatter): string[] {
  if (bytes.length === 0) return [];
  const reading = decodeUtf8(bytes);
  if (!reading.ok && reading.before.length < 16)
    return [`(${countOf(bytes.length, 'byte')} that are no UTF-8)`];
  const text = reading.ok ? reading.text : reading.before;
  const from = startOf(text, matter);
  const shown = text
    .slice(from, from + mostCharacters)
    .replace(/[\ud800-\udbff]$/, '')
    .split('\n')
    .slice(0, mostLines)
    .join('\n');
  const skipped = Buffer.byteLength(text.slice(0, from));
  const rest = bytes.length - skipped - Buffer.byteLength(shown);
  const more = reading.ok
    ? `… (${countOf(rest, 'byte')} more)`
    : `… (${countOf(rest, 'byte')} more, and no UTF-8 from byte ${String(Buffer.byteLength(text))} on)`;
  return [
    ...(from > 0 ? [`… (after ${countOf(skipped, 'byte')})`] : []),
    ...cleanText(shown).replace(/\n+$/, '').split('\n'),
    ...(rest > 0 ? [more] : []),
  ];
}

function startOf(text: string, matter: BodyMatter | undefined): number {
  const at = matter === undefined ? -1 : matterStart(matter, text);
  const isShownAnyway =
    at + (matter?.value ?? '').length <= mostCharacters &&
    text.slice(0, at).split('\n').length <= mostLines;
  if (at === -1 || isShownAnyway) return 0;
  // Where lines are short the fragment begins with one.
  const from = at - before;
  const line = text.indexOf('\n', from);
  const start = line === -1 || line >= at ? from : line + 1;
  return start + (/^[\udc00-\udfff]/.test(text.slice(start, start + 1)) ? 1 : 0);
}
