import {
  binaryBytes,
  contentForm,
  type ContentForm,
  isJsonMediaType,
  isMultipartItems,
  concreteType,
  parseMediaType,
  type WrittenContent,
} from '../../http/media-type.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson, objectOf } from '../../json/value.ts';
import type { MediaTypeSpec, Schema } from '../model.ts';
import { writeScalar } from '../parameter/encode-parameter.ts';
import { writeMultipartItems } from './read-multipart.ts';
import { FormReader } from './form-reader.ts';
import { type FormSpec, writeForm } from './form.ts';
import { writeXml } from './write-xml.ts';

const encoder = new TextEncoder();

/**
 * Writes a value as a body of a media type. A text is written unchanged if the type has no
 * structure; a value that the type cannot express, such as an object in plain text, is written as
 * JSON.
 */
export function writeContent(
  value: JsonValue,
  spec: Pick<MediaTypeSpec, 'mediaType' | 'schema' | 'encoding'>,
): WrittenContent {
  const { mediaType } = spec;
  const form = contentForm(mediaType);
  if (form === 'multipart' && isJsonObject(value)) return writeMultipart(value, spec);
  if (form !== 'json' && isJsonArray(value) && isMultipartItems(mediaType))
    return writeMultipartItems(value, mediaType);
  const bytes =
    form === 'binary' && typeof value === 'string'
      ? binaryBytes(value)
      : encoder.encode(writeText(value, form, spec));
  return { mediaType, bytes };
}

function writeText(value: JsonValue, form: ContentForm, spec: FormSpec): string {
  if (form === 'json') return stringifyJson(value);
  if (form === 'form' && isJsonObject(value)) return writeForm(value, spec);
  if (typeof value === 'string' && isInOwnWords(value, form)) return value;
  switch (form) {
    case 'json-lines':
      return writeJsonItems(value);
    case 'json-sequence':
      return writeJsonItems(value, '\u001e');
    case 'events':
      return writeEvents(value);
    case 'csv':
      return writeCsv(value);
    case 'xml':
      return writeXml(value, spec.schema);
    default:
      return writeScalar(value);
  }
}

/**
 * Whether a text is a complete body of its type, as an example may be, and not a value to write.
 */
function isInOwnWords(text: string, form: ContentForm): boolean {
  if (form === 'json-lines' || form === 'json-sequence') return false;
  if (form === 'events') return /^(data|event|id|retry)?:/m.test(text);
  return form !== 'xml' || text.trimStart().startsWith('<');
}

/**
 * A value as JSON texts, one line per item of a list (application/jsonl, application/x-ndjson). In
 * a JSON text sequence (RFC 7464), each begins with the character RS.
 */
function writeJsonItems(value: JsonValue, before = ''): string {
  return itemsOf(value)
    .map((item) => `${before}${stringifyJson(item)}\n`)
    .join('');
}

const eventFields = ['id', 'event', 'retry', 'data'];

/**
 * A value as server-sent events (WHATWG HTML, section 9.2), one per item of a list. An object with
 * the members of an event is an event; any other value is the data of one.
 */
function writeEvents(value: JsonValue): string {
  return itemsOf(value)
    .map((item) => `${isEvent(item) ? writeEvent(item) : fieldLines('data', textOf(item))}\n`)
    .join('');
}

function isEvent(item: JsonValue): item is JsonObject {
  return (
    isJsonObject(item) &&
    Object.hasOwn(item, 'data') &&
    Object.keys(item).every((name) => eventFields.includes(name))
  );
}

function writeEvent(event: JsonObject): string {
  return eventFields
    .map((name) =>
      Object.hasOwn(event, name) ? fieldLines(name, textOf(event[name] ?? null)) : '',
    )
    .join('');
}

/** A line break would end the field, so each line becomes a field. */
function fieldLines(name: string, text: string): string {
  const lines = name === 'data' ? text.split(/\r\n|\r|\n/) : [text.replaceAll(/[\r\n\0]/g, ' ')];
  return lines.map((line) => `${name}: ${line}\n`).join('');
}

/** A table (RFC 4180): a header and one row per object; a list of scalars is one column. */
function writeCsv(value: JsonValue): string {
  const items = itemsOf(value);
  const names = [...new Set(items.flatMap((item) => Object.keys(objectOf(item))))];
  const rows = items.map((item) =>
    isJsonObject(item)
      ? cellsOf(item, names)
      : isJsonArray(item)
        ? item.map(textOf)
        : [textOf(item)],
  );
  return writeRows([...(names.length === 0 ? [] : [names]), ...rows]);
}

/** Objects as a table with these columns: the names of them, and a row per object. */
export function writeTable(items: readonly JsonObject[], names: readonly string[]): string {
  return writeRows([names, ...items.map((item) => cellsOf(item, names))]);
}

/** Rows of texts as CSV (RFC 4180). */
export function writeRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('');
}

function cellsOf(item: JsonObject, names: readonly string[]): string[] {
  return names.map((name) => (Object.hasOwn(item, name) ? textOf(item[name] ?? null) : ''));
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [value];
}

function textOf(value: JsonValue): string {
  return writeScalar(value);
}

/**
 * Writes an object as `multipart/form-data` (RFC 7578) in the form that `readMultipart` reads:
 * binary members as files, objects as JSON, lists as parts with one name. The members do not
 * contain the boundary.
 */
export function writeMultipart(value: JsonObject, spec: FormSpec): WrittenContent {
  const reader = new FormReader(spec.schema);
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const kind = kindOf(reader.property(name), spec.encoding?.get(name)?.contentType);
    const items = isJsonArray(member) && kind.type === undefined ? member : [member];
    return items.map((item) => writePart(name, item, kind));
  });
  const body = Buffer.concat(parts);
  let boundary = 'vouch-boundary';
  for (let count = 1; body.includes(boundary); count += 1)
    boundary = `vouch-boundary-${String(count)}`;
  const framed = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return {
    mediaType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...framed, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** How a member is written: as a file, or as a media type for the whole member. */
interface MemberKind {
  readonly file: string | undefined;
  readonly type: string | undefined;
}

function kindOf(schema: Schema | undefined, contentType: string | undefined): MemberKind {
  const types = (contentType ?? '')
    .split(',')
    .map((type) => parseMediaType(type)?.essence ?? '')
    .filter((type) => type !== '');
  const isBinary = schema !== undefined && holdsBinary(schema);
  const [named] = types;
  const concrete = named && concreteType(named, isBinary);
  if (isBinary) return { file: concrete ?? 'application/octet-stream', type: undefined };
  return {
    file: undefined,
    type: concrete === undefined || concrete === 'text/plain' ? undefined : concrete,
  };
}

/** Whether a schema is that of a file, or of a list of them. */
export function holdsBinary(schema: Schema): boolean {
  const { node, items } = schema.flatten();
  return [node, items && schema.flatten(items).node].some(
    (each) =>
      each?.format === 'binary' ||
      (typeof each?.['contentMediaType'] === 'string' &&
        !isJsonMediaType(each['contentMediaType'])),
  );
}

function writePart(name: string, value: JsonValue, { file, type }: MemberKind): Buffer {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`;
  if (file !== undefined && typeof value === 'string') {
    return Buffer.concat([
      Buffer.from(
        `${disposition}; filename="${escapeName(name)}"\r\nContent-Type: ${file}\r\n\r\n`,
      ),
      binaryBytes(value),
    ]);
  }
  const isNested = isJsonObject(value) || isJsonArray(value) || isJsonMediaType(type ?? '');
  const written = type ?? (isNested ? 'application/json' : undefined);
  const text = isNested ? stringifyJson(value) : writeScalar(value);
  return Buffer.from(
    `${disposition}${written === undefined ? '' : `\r\nContent-Type: ${written}`}\r\n\r\n${text}`,
  );
}

/** WHATWG HTML, section 4.10.22.8. */
function escapeName(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent);
}
