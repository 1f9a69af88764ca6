import type { PageBody, PageExchange, PageMatter } from '../../src/report/html/page-data.ts';
import { countOf, decode, ExactNumber, indentJson, readJson } from '../shared/text.ts';

export function bytesOf({ encoding, text }: Pick<PageBody, 'encoding' | 'text'>): Uint8Array {
  return encoding === 'base64'
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
}

/** Unpacks a block of data: raw DEFLATE (RFC 1951) in base64. */
export async function unpackText(packed: string): Promise<string> {
  const bytes = bytesOf({ encoding: 'base64', text: packed });
  const stream = new Response(bytes.slice()).body?.pipeThrough(
    new DecompressionStream('deflate-raw'),
  );
  return new Response(stream ?? null).text();
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

function prettyBody(message: Message): string {
  const { body } = message;
  if (body.encoding !== 'utf8') return hexView(bytesOf(body));
  return isJson(message) ? indentJson(body.text) : body.text;
}

/** Whether a body is shown as JSON: it says so, or it begins like an object or an array. */
export function isJson({ headers, body }: Pick<Message, 'headers' | 'body'>): boolean {
  if (body.encoding !== 'utf8' || body.text === '') return false;
  return /json/i.test(mediaTypeOf(headers)) || /^\s*[[{]/.test(body.text);
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

/** A range of characters: from `start` to before `end`. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The locations of a finding in JSON, as ranges of `indentJson(text)`. */
export function markJson(text: string, matter: PageMatter | undefined): TextSpan[] {
  return placesOf(indentJson(text), matter).map(({ 0: marked, index }) => ({
    start: index,
    end: index + marked.length,
  }));
}

/** The locations of a finding; none if the pattern matches several and only one is meant. */
function placesOf(text: string, matter: PageMatter | undefined): RegExpExecArray[] {
  const places = matter === undefined ? [] : [...text.matchAll(new RegExp(matter.pattern, 'g'))];
  return places.length > 1 && matter?.each !== true ? [] : places;
}

/** The parts in which a request and its control differ, as text. */
export interface RequestDifference {
  readonly control: readonly string[];
  readonly request: readonly string[];
}

interface RequestPart {
  readonly place: string;
  readonly text: string;
}

/**
 * The parts in which a request differs from its control: query parameters, headers and members of
 * the body; the path if nothing else differs, because both may use records of their own. What the
 * request only leaves out is shown if it has nothing that differs. Texts that differ only by the
 * mark of the run are equal.
 */
export function compareRequests(
  control: PageExchange['request'],
  request: PageExchange['request'],
  mark: string,
): RequestDifference {
  const [left, right] = [partsOf(control), partsOf(request)];
  const [lost, added] = [partsWithout(left, right, mark), partsWithout(right, left, mark)];
  const changed = added.filter(({ place }) => place !== pathPlace);
  const missing = lost.filter(({ place }) => place !== pathPlace);
  if (changed.length > 0) {
    const places = new Set(changed.map(({ place }) => place));
    return difference(
      missing.filter(({ place }) => places.has(place)),
      changed,
    );
  }
  return missing.length > 0 ? difference(missing, []) : difference(lost, added);
}

function difference(
  control: readonly RequestPart[],
  request: readonly RequestPart[],
): RequestDifference {
  const textOf = ({ text }: RequestPart): string => text;
  return { control: control.map(textOf), request: request.map(textOf) };
}

function partsWithout(
  parts: readonly RequestPart[],
  others: readonly RequestPart[],
  mark: string,
): RequestPart[] {
  const plain = ({ text }: RequestPart): string =>
    mark === '' ? text : text.replaceAll(new RegExp(`${escapePattern(mark)}[\\w-]*`, 'g'), mark);
  const known = new Set(others.map(plain));
  return parts.filter((part) => !known.has(plain(part)));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const pathPlace = 'path';

function partsOf({ method, target, headers, body }: PageExchange['request']): RequestPart[] {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return [
    { place: pathPlace, text: `${method} ${decode(path)}` },
    ...(query === '' ? [] : query.split('&')).map((part) => ({
      place: `?${part.split('=')[0] ?? ''}`,
      text: `?${decode(part)}`,
    })),
    ...headers
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => ({ place: name.toLowerCase(), text: `${name}: ${value}` })),
    ...bodyParts(body),
  ];
}

function bodyParts({ encoding, text, cut }: PageBody): RequestPart[] {
  if (text === '') return [];
  if (encoding !== 'utf8' || cut !== undefined)
    return [{ place: 'body', text: `a body of ${countOf(text.length, 'character')}` }];
  try {
    return membersOf(readJson(text), 'body');
  } catch {
    return [{ place: 'body', text: `body: ${text}` }];
  }
}

/** The values of JSON with their places: `body.owner.name: "x"`. */
function membersOf(value: unknown, place: string): RequestPart[] {
  const isContainer =
    typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
  const members = isContainer ? Object.entries(value) : [];
  if (members.length === 0) return [{ place, text: `${place}: ${JSON.stringify(value)}` }];
  return members.flatMap(([name, member]) =>
    membersOf(member, Array.isArray(value) ? `${place}[${name}]` : `${place}.${name}`),
  );
}
