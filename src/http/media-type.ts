import { parseJson } from '../json/parse-json.ts';
import type { JsonValue } from '../json/value.ts';
import { headerValue, type HttpResponse } from './message.ts';

/** A media type: its essence in lower case, and its parameters (RFC 9110, section 8.3.1). */
export interface MediaType {
  /** Such as `application/json`, or a range such as `text/*`. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const shape = new RegExp(`^\\s*(${token}/${token})\\s*(?:;(.*))?$`, 's');
const parameter = new RegExp(
  `\\s*(${token})=(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))\\s*(?:;|$)`,
  'y',
);

/** Parses a media type; undefined if the text is not one. Malformed parameters are dropped. */
export function parseMediaType(text: string): MediaType | undefined {
  const before = cache.get(text);
  if (before !== undefined || cache.has(text)) return before;
  const match = shape.exec(text);
  const mediaType =
    match?.[1] === undefined
      ? undefined
      : { essence: match[1].toLowerCase(), parameters: parseParameters(match[2] ?? '') };
  if (cache.size < maxCached && text.length <= maxCachedLength) cache.set(text, mediaType);
  return mediaType;
}

/** Cache: contracts and clients use few media types. Bounded, because clients control the text. */
const cache = new Map<string, MediaType | undefined>();
const maxCached = 1_000;
const maxCachedLength = 200;

function parseParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  parameter.lastIndex = 0;
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    const value = match[2] === undefined ? match[3] : match[2].replaceAll(/\\(.)/g, '$1');
    parameters.set((match[1] ?? '').toLowerCase(), value ?? '');
  }
  return parameters;
}

/** Whether a media type is JSON: `application/json`, `text/json` or any `+json` (RFC 6839). */
export function isJsonMediaType(mediaType: string): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');
}

/**
 * Whether a media type is in a range such as `text/*`, or `application/*+json` for all types with a
 * suffix (RFC 6839); case and parameters are ignored.
 */
export function matchesMediaRange(mediaType: string, range: string): boolean {
  const actual = parseMediaType(mediaType)?.essence;
  const expected = parseMediaType(range)?.essence;
  if (actual === undefined || expected === undefined) return false;
  if (expected === '*/*' || expected === actual) return true;
  if (!expected.includes('*')) return false;
  const [type = '', subtype = ''] = expected.split('/');
  const isOfType = type === '*' || actual.startsWith(`${type}/`);
  if (subtype === '*') return isOfType && type !== '*';
  return subtype.startsWith('*+') && isOfType && actual.endsWith(subtype.slice(1));
}

/** How precise a range is: 0 for all types, 4 for a single one. */
export function precisionOf(range: string): number {
  const [type = '*', subtype = '*'] = (parseMediaType(range)?.essence ?? '*/*').split('/');
  const isSuffixed = subtype.startsWith('*+');
  if (type === '*') return isSuffixed ? 1 : 0;
  if (isSuffixed) return 3;
  return subtype === '*' ? 2 : 4;
}

/**
 * The range of an `Accept` field that includes a documented one: a suffix is not a range there (RFC
 * 9110, section 12.5.1).
 */
export function acceptedRange(mediaType: string): string {
  const essence = parseMediaType(mediaType)?.essence ?? '*/*';
  return essence.replace(/\*\+.+$/, '*');
}

const usualTypes: Readonly<Record<string, string>> = {
  image: 'image/png',
  text: 'text/plain',
  audio: 'audio/wav',
};

/**
 * A media type to send where a contract names a range: one in which a text or another value can be
 * written. A range with a suffix has a type of the vendor tree (RFC 6838, section 3.2).
 */
export function concreteType(mediaType: string, isText: boolean): string {
  const essence = parseMediaType(mediaType)?.essence ?? mediaType;
  if (!essence.includes('*')) return mediaType;
  const [type = '*', subtype = '*'] = essence.split('/');
  if (subtype.startsWith('*+'))
    return `${type === '*' ? 'application' : type}/vnd.example${subtype.slice(1)}`;
  return usualTypes[type] ?? (isText ? 'application/octet-stream' : 'application/json');
}

/**
 * How many parameters two media types share; -1 if a parameter differs in value. `q` and `charset`
 * are ignored.
 */
export function countSharedParameters(left: string, right: string): number {
  const given = parseMediaType(right)?.parameters;
  let shared = 0;
  for (const [name, value] of parseMediaType(left)?.parameters ?? []) {
    const other = name === 'q' || name === 'charset' ? undefined : given?.get(name);
    if (other === undefined) continue;
    if (other.toLowerCase() !== value.toLowerCase()) return -1;
    shared += 1;
  }
  return shared;
}

/** One entry of an `Accept` header: a range, as it was written, and its weight. */
interface AcceptedRange {
  readonly range: string;
  readonly written: string;
  readonly weight: number;
}

/**
 * The offered media type with the highest quality in an `Accept` header, or undefined if none is
 * acceptable (RFC 9110, section 12.5.1). A missing, empty or malformed header accepts everything;
 * the first of equals wins.
 */
export function negotiate(
  accept: string | undefined,
  offered: readonly string[],
): string | undefined {
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return offered[0];
  const weighed = offered.map((mediaType) => ({ mediaType, weight: weightOf(mediaType, ranges) }));
  const best = weighed.reduce((left, right) => (right.weight > left.weight ? right : left), {
    mediaType: '',
    weight: 0,
  });
  return best.weight > 0 ? best.mediaType : undefined;
}

function parseAccept(accept: string | undefined): AcceptedRange[] {
  return (accept ?? '').split(',').flatMap((part) => {
    const media = parseMediaType(part);
    if (media === undefined) return [];
    const quality = Number(media.parameters.get('q') ?? '1');
    return { range: media.essence, written: part, weight: Number.isFinite(quality) ? quality : 1 };
  });
}

function weightOf(mediaType: string, ranges: readonly AcceptedRange[]): number {
  const fitting = ranges.filter(
    ({ range, written }) =>
      matchesMediaRange(mediaType, range) && countSharedParameters(written, mediaType) >= 0,
  );
  const closest = fitting.sort(
    (left, right) => preciseness(right, mediaType) - preciseness(left, mediaType),
  )[0];
  return closest?.weight ?? 0;
}

function preciseness({ range, written }: AcceptedRange, mediaType: string): number {
  const precision = precisionOf(range);
  return precision < 4 ? precision : precision + countSharedParameters(written, mediaType);
}

/** How a value is written as a body of a media type. */
export type ContentForm =
  | 'json'
  | 'json-lines'
  | 'json-sequence'
  | 'events'
  | 'form'
  | 'multipart'
  | 'xml'
  | 'csv'
  | 'text'
  | 'binary';

const forms: Readonly<Record<string, ContentForm>> = {
  'application/jsonl': 'json-lines',
  'application/x-jsonlines': 'json-lines',
  'application/x-ndjson': 'json-lines',
  'application/ndjson': 'json-lines',
  'application/json-lines': 'json-lines',
  'application/json-seq': 'json-sequence',
  'application/geo+json-seq': 'json-sequence',
  'text/event-stream': 'events',
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'image/svg+xml': 'text',
  'application/xhtml+xml': 'text',
};

/** Types outside of `text/` that people read; JSON is YAML too (YAML 1.2, section 1.3). */
const readableTypes: ReadonlySet<string> = new Set(
  (
    'yaml x-yaml javascript ecmascript x-javascript graphql sql toml x-sh x-pem-file ' +
    'pgp-signature sdp'
  )
    .split(' ')
    .map((subtype) => `application/${subtype}`),
);

function isReadable(essence: string): boolean {
  return essence.startsWith('text/') || essence.endsWith('+yaml') || readableTypes.has(essence);
}

/** How bodies of a media type are written and read; an unknown type is binary. */
export function contentForm(mediaType: string): ContentForm {
  if (isJsonMediaType(mediaType)) return 'json';
  const essence = parseMediaType(mediaType)?.essence ?? '';
  const known = forms[essence];
  if (known !== undefined) return known;
  if (essence.endsWith('+xml')) return 'xml';
  return isReadable(essence) ? 'text' : 'binary';
}

/**
 * Whether a response of a media type may last as long as its client listens, and is whole at any
 * time: its parts are judged one by one.
 */
export function isStream(mediaType: string): boolean {
  return (
    ['events', 'json-lines', 'json-sequence'].includes(contentForm(mediaType)) ||
    parseMediaType(mediaType)?.essence === 'multipart/x-mixed-replace'
  );
}

/** A body as bytes, and the media type that it is sent as. */
export interface WrittenContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The JSON body of a message, or undefined if it has none. */
export function readJson({
  headers,
  body,
}: Pick<HttpResponse, 'headers' | 'body'>): JsonValue | undefined {
  if (body.length === 0 || !isJsonMediaType(headerValue(headers, 'content-type') ?? ''))
    return undefined;
  const reading = parseJson(body);
  return reading.ok ? reading.value : undefined;
}

/**
 * Bytes as a text with one character per byte (U+0000 to U+00FF): the JSON form of a binary body.
 */
export function binaryText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The bytes of such a text; a text with other characters is encoded as UTF-8. */
export function binaryBytes(text: string): Uint8Array {
  return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : new TextEncoder().encode(text);
}

/** Whether bodies of a media type are a sequence of unnamed parts, as in `multipart/mixed`. */
export function isMultipartItems(mediaType: string): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return essence.startsWith('multipart/') && essence !== 'multipart/form-data';
}
