import type { PageBody, PageMatter } from '../../src/report/html/page-data.ts';
import { countOf, indentJson } from '../shared/text.ts';

/** The bytes of a body. */
export function bytesOf({ encoding, text }: Pick<PageBody, 'encoding' | 'text'>): Uint8Array {
  return encoding === 'base64'
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
}

/** Bytes in the format of `hexdump -C`: offset, 16 bytes, and their ASCII characters. */
export function hexView(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const shown = row.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    );
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${shown.join('')}`);
  }
  return lines.join('\n');
}

/** A message in the report. */
export interface Message {
  readonly startLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: PageBody;
}

/** The media type of a message, or ''. */
export function mediaTypeOf(headers: Message['headers']): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

/** The formats of a message. */
export const views = ['pretty', 'raw', 'hex'] as const;
export type MessageWay = (typeof views)[number];

/** A message as text in one of the formats. */
export function writeMessage(message: Message, way: MessageWay): string {
  if (way === 'hex') return hexView(bytesOf(message.body));
  return way === 'raw' ? rawMessage(message) : prettyBody(message);
}

function prettyBody({ headers, body }: Message): string {
  if (body.encoding !== 'utf8') return hexView(bytesOf(body));
  const isJson = /json/i.test(mediaTypeOf(headers)) || /^\s*[[{]/.test(body.text);
  return isJson ? indentJson(body.text) : body.text;
}

/** The raw message, except for the version of HTTP, which no exchange records. */
function rawMessage({ startLine, headers, body }: Message): string {
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const head = [startLine, ...fields, '', ''].join('\n');
  if (body.encoding === 'utf8') return head + body.text;
  return `${head}(${countOf(bytesOf(body).length, 'byte')} that are not text: see hex)`;
}

/** A part of a text, and whether it is highlighted. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The length from which texts are shortened: to the first highlight and a little further. */
const longText = 20_000;

/** A text, or its start, in parts of which some are highlighted. */
export interface MarkedText {
  readonly parts: readonly TextPart[];
  /** The number of characters that are left out. */
  readonly rest: number;
}

/** A text, or its start, with the locations of a finding highlighted. */
export function markText(
  text: string,
  matter: PageMatter | undefined,
  isWhole: boolean,
): MarkedText {
  const places = placesOf(text, matter);
  const first = places[0]?.index ?? 0;
  const end = isWhole
    ? text.length
    : Math.min(text.length, Math.max(longText, first + longText / 10));
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: marked, index } of places) {
    if (index + marked.length > end) continue;
    parts.push({ text: text.slice(at, index), isMarked: false });
    parts.push({ text: marked, isMarked: true });
    at = index + marked.length;
  }
  parts.push({ text: text.slice(at, end), isMarked: false });
  return { parts: parts.filter((part) => part.text !== ''), rest: text.length - end };
}

/** The locations of a finding; none if the pattern matches several and only one is meant. */
function placesOf(text: string, matter: PageMatter | undefined): RegExpExecArray[] {
  const places = matter === undefined ? [] : [...text.matchAll(new RegExp(matter.pattern, 'g'))];
  return places.length > 1 && matter?.each !== true ? [] : places;
}
