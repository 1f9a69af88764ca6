import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';

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
  [
    'yaml',
    'x-yaml',
    'javascript',
    'ecmascript',
    'x-javascript',
    'graphql',
    'sql',
    'toml',
    'x-sh',
    'x-pem-file',
    'pgp-signature',
    'sdp',
  ].map((subtype) => `application/${subtype}`),
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

/** A body as bytes, and the media type that it is sent as. */
export interface WrittenContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
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
