import {
  binaryText,
  contentForm,
  type ContentForm,
  isMultipartItems,
  parseMediaType,
} from '../../http/media-type.ts';
import type { ItemsReading } from '../../contract/content/read-multipart.ts';
import { readMultipart, readMultipartItems } from '../../contract/content/read-multipart.ts';
import type { FormResult } from '../../contract/content/form-reader.ts';
import { readForm } from '../../contract/content/form.ts';
import { readXml } from '../../contract/content/read-xml.ts';
import type { MediaTypeSpec, Schema } from '../../contract/model.ts';
import { expectedValue, readScalar } from '../../contract/parameter/expected-value.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { nameParameter } from '../errors/describe-issue.ts';
import { type Fault, makeFault } from '../model/reply.ts';

/** A parsed body: a value, bytes without a schema, or why it cannot be parsed. */
export type ContentReading =
  { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'opaque' } | Fault;

/** An unsupported charset; the caller lists the supported ones. */
export interface UnknownCharset {
  readonly kind: 'charset';
  readonly charset: string;
}

/** Parses bodies of one media type. */
export type ReadContent = (bytes: Uint8Array) => ContentReading | UnknownCharset;

/**
 * The parser of a media type; XML uses the `xml` objects of its schema. Bytes are validated if the
 * schema restricts their number or encoding.
 */
export function contentReader(type: string, entry: MediaTypeSpec): ReadContent {
  const form = contentForm(type);
  if (form === 'multipart') return (bytes) => ofForm(readMultipart(bytes, type, entry));
  if (entry.itemSchema !== undefined && isMultipartItems(type))
    return (bytes) => ofItems(readMultipartItems(bytes, type));
  if (form === 'binary') return (bytes) => judgeBinary(bytes, entry.schema);
  const charset = parseMediaType(type)?.parameters.get('charset') ?? 'utf-8';
  // RFC 8259, section 8.1: JSON is UTF-8; `parseJson` reports invalid bytes itself.
  if (form === 'json') return isUnicode(charset) ? readJson : () => ({ kind: 'charset', charset });
  return (bytes) => readCharacters(bytes, form, charset, entry);
}

function readCharacters(
  bytes: Uint8Array,
  form: ContentForm,
  charset: string,
  entry: MediaTypeSpec,
): ContentReading | UnknownCharset {
  const text = decodeText(bytes, charset);
  if (text.kind === 'unknown') return { kind: 'charset', charset };
  if (text.kind === 'broken')
    return makeFault(
      'body-unreadable',
      'invalid_body',
      `The body is not ${charset.toUpperCase()}.`,
    );
  if (form === 'form') return ofForm(readForm(text.text, entry));
  if (form === 'json-lines' || form === 'json-sequence') return readLines(text.text);
  if (form === 'xml') return ofXml(text.text, entry.schema);
  return readText(text.text, entry.schema);
}

function readJson(bytes: Uint8Array): ContentReading {
  const reading = parseJson(bytes);
  if (reading.ok) return { kind: 'value', value: reading.value };
  return makeFault(
    'body-unreadable',
    'invalid_json',
    `The body is not valid JSON: ${reading.problem.message}.`,
  );
}

function ofItems(reading: ItemsReading): ContentReading {
  return reading.ok
    ? { kind: 'value', value: reading.items }
    : makeFault('body-unreadable', 'invalid_body', reading.message);
}

function ofForm(result: FormResult): ContentReading {
  if (result.ok) return { kind: 'value', value: result.value };
  if (result.member === undefined)
    return makeFault('body-unreadable', 'invalid_body', result.message);
  return wrongValue(result.member, result.message);
}

/** `clause` describes the error of a member, or of the whole body if the name is empty. */
function wrongValue(name: string, clause: string): Fault {
  const subject = name === '' ? 'The body' : nameParameter({ location: 'body', name });
  const message = `${subject} ${clause}.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ location: 'body', name, rule: 'type', message }],
  });
}

/** A JSON text in each non-empty line, which may start with RS (RFC 7464). */
function readLines(text: string): ContentReading {
  const items: JsonValue[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const record = line.replace(/^\u001e/, '').trim();
    if (record === '') continue;
    const reading = parseJson(record);
    if (!reading.ok)
      return makeFault(
        'body-unreadable',
        'invalid_json',
        `Line ${String(index + 1)} of the body is not valid JSON: ` +
          `${reading.problem.reason}, at column ${String(reading.problem.column)}.`,
      );
    items.push(reading.value);
  }
  return { kind: 'value', value: items };
}

function ofXml(text: string, schema: Schema | undefined): ContentReading {
  if (!/^\ufeff?\s*</.test(text))
    return makeFault(
      'body-unreadable',
      'invalid_body',
      `The body is not XML: it begins with ${quoteExcerpt(text.trimStart())}.`,
    );
  if (schema === undefined) return { kind: 'opaque' };
  if (isPlainText(schema)) return { kind: 'value', value: text };
  const reading = readXml(text, schema);
  // An uncertain reading is not refused.
  if (reading.ok)
    return reading.sure || schema.validate(reading.value, 'request').length === 0
      ? { kind: 'value', value: reading.value }
      : { kind: 'opaque' };
  return reading.member === undefined
    ? makeFault('body-unreadable', 'invalid_body', `The body ${reading.message}.`)
    : wrongValue(reading.member, reading.message);
}

function isPlainText(schema: Schema): boolean {
  const { types } = expectedValue(schema);
  return types.size === 1 && types.has('string');
}

/** A text, or the number, boolean or JSON that the schema requires. */
function readText(text: string, schema: Schema | undefined): ContentReading {
  if (schema === undefined) return { kind: 'value', value: text };
  const { types } = expectedValue(schema);
  if (types.has('string')) return { kind: 'value', value: text };
  const reading = readScalar(text.trim(), types);
  return reading.ok ? { kind: 'value', value: reading.values[0] } : wrongValue('', reading.message);
}

/** Decoded text, or why it cannot be decoded: an unknown charset, or invalid bytes. */
type TextReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'broken' };

const unicode = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether a charset is a subset of UTF-8. */
function isUnicode(charset: string): boolean {
  return unicode.has(charset.toLowerCase());
}

/** Decodes bytes strictly: as UTF-8, or in any charset of the WHATWG Encoding Standard. */
function decodeText(bytes: Uint8Array, charset: string): TextReading {
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

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64url = /^[A-Za-z0-9_-]*={0,2}$/;

/**
 * Bytes as a text with one character per byte, if the schema restricts their number or requires
 * base64 (JSON Schema Validation 2020-12, section 8.3). Other bytes have no schema.
 */
function judgeBinary(bytes: Uint8Array, schema: Schema | undefined): ContentReading {
  const node = schema?.flatten().node;
  if (node === undefined) return { kind: 'opaque' };
  // `format: byte` alone for a binary body means the bytes, not their base64.
  const coding = node['contentEncoding'];
  const shape = coding === 'base64' ? base64 : coding === 'base64url' ? base64url : undefined;
  const isBounded =
    shape !== undefined ||
    [node.minLength, node.maxLength, node.pattern, node.enum, node.const].some(
      (rule) => rule !== undefined,
    );
  if (!isBounded) return { kind: 'opaque' };
  const value = binaryText(bytes);
  // base64 in MIME can contain line breaks (RFC 2045, section 6.8).
  if (shape === undefined || shape.test(value.replaceAll(/[\r\n]/g, '')))
    return { kind: 'value', value };
  const message = `The body must be ${String(coding)} text, and is not.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ location: 'body', name: '', rule: 'contentEncoding', message }],
  });
}
