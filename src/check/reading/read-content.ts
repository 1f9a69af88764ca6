import { binaryText, contentForm, parseMediaType } from '../../http/media-type.ts';
import { readForm } from '../../contract/content/form.ts';
import { parseXml } from '../../contract/content/parse-xml.ts';
import { type AnsweredXml, readAnsweredXml } from '../../contract/content/read-answered-xml.ts';
import type { MediaTypeSpec, Schema } from '../../contract/model.ts';
import { expectedValue } from '../../contract/parameter/expected-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Answer } from '../model/step.ts';

/**
 * The content of a body that is not JSON: a value; the items of a sequence; opaque content that no
 * schema describes; or a clause that says why it is invalid for its media type.
 */
export type ContentReading =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'items'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'xml'; readonly reading: AnsweredXml }
  | { readonly kind: 'opaque' }
  /** It cannot be judged by its schema; `reason` is a clause. */
  | { readonly kind: 'unsure'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

const opaque: ContentReading = { kind: 'opaque' };

/** Reads lines and sequences of JSON, server-sent events, forms, XML and texts. Never throws. */
export function readContent(
  { bytes, mediaType = '', isCut = false }: Omit<Extract<Answer, { kind: 'bytes' }>, 'kind'>,
  media?: MediaTypeSpec,
): ContentReading {
  const form = contentForm(mediaType);
  if (form === 'json' || form === 'multipart' || form === 'binary' || form === 'csv') return opaque;
  const named = parseMediaType(mediaType)?.parameters.get('charset');
  const text = decode(bytes, named ?? (form === 'xml' ? xmlCharset(bytes) : undefined), {
    isText: form === 'text',
    isCut,
  });
  if (typeof text !== 'string') return text;
  switch (form) {
    case 'json-lines':
      return readRecords(isCut ? text.split('\n').slice(0, -1) : text.split('\n'), 'line');
    case 'json-sequence':
      return readRecords(recordsOf(text, isCut), 'record');
    case 'events':
      return { kind: 'items', items: readEvents(text) };
    case 'form':
      return readFields(text, media);
    case 'xml':
      return readXml(text.replace(/^\uFEFF/, '').trim(), media?.schema);
    case 'text':
      return readText(text, media);
  }
}

/** A text without a charset may be in any, and cannot be decoded with certainty. */
function decode(
  bytes: Uint8Array,
  charset: string | undefined,
  { isText, isCut }: { readonly isText: boolean; readonly isCut: boolean },
): string | ContentReading {
  try {
    const decoder = new TextDecoder(charset ?? 'utf-8', { fatal: true });
    // A character may be cut too.
    return decoder.decode(bytes, { stream: isCut });
  } catch (error) {
    const unknown = error instanceof RangeError;
    return unknown || (charset === undefined && isText)
      ? opaque
      : { kind: 'unreadable', reason: `its bytes are not ${(charset ?? 'UTF-8').toUpperCase()}` };
  }
}

/** The encoding that a document names itself (XML 1.0, section 4.3.3). */
function xmlCharset(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  const start = binaryText(bytes.subarray(0, longestDeclaration));
  return /^(?:\xEF\xBB\xBF)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1];
}

const longestDeclaration = 200;

/** A document by its schema. One with a type of its own may define entities, which are not read. */
function readXml(text: string, schema: Schema | undefined): ContentReading {
  const broken = whyNotXml(text);
  if (broken !== undefined) return { kind: 'unreadable', reason: `it is not XML: ${broken}` };
  const document = parseXml(text);
  const isTyped = text.includes('<!DOCTYPE');
  if (!document.ok && !isTyped && !document.isTooDeep)
    return { kind: 'unreadable', reason: `it is not XML: ${document.message}` };
  // A schema that only says that it is a text describes the document as a whole.
  if (schema === undefined || [...expectedValue(schema).types].join() === 'string') return opaque;
  return document.ok
    ? { kind: 'xml', reading: readAnsweredXml(document.root, schema) }
    : { kind: 'unsure', reason: isTyped ? 'it has a document type' : document.message };
}

function readRecords(records: readonly string[], noun: string): ContentReading {
  const items: JsonValue[] = [];
  for (const [index, record] of records.entries()) {
    if (record.trim() === '') continue;
    const reading = parseJson(record.trim(), {
      maxDepth: 1000,
      duplicateKeys: 'allow',
      forbiddenKeys: [],
      loneSurrogates: 'allow',
    });
    if (!reading.ok)
      return {
        kind: 'unreadable',
        reason: `its ${noun} ${String(index + 1)} is not JSON: ${reading.problem.message}`,
      };
    items.push(reading.value);
  }
  return { kind: 'items', items };
}

/** A record that no line feed ends may have been cut (RFC 7464, section 2.4). */
function recordsOf(text: string, isCut: boolean): readonly string[] {
  const records = text.split('\u001e').slice(text.startsWith('\u001e') ? 1 : 0);
  return isCut || !text.endsWith('\n') ? records.slice(0, -1) : records;
}

/**
 * WHATWG HTML, section 9.2.6: the fields up to an empty line are one event; one without data is
 * ignored, and so is one that no empty line ends. `retry` is a number of milliseconds.
 */
function readEvents(text: string): JsonValue[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const events: JsonValue[] = [];
  let fields = new Map<string, JsonValue>();
  // Behind the last line break is no line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (fields.has('data')) events.push(Object.fromEntries(fields));
      fields = new Map();
    } else readField(line, fields);
  }
  return events;
}

function readField(line: string, fields: Map<string, JsonValue>): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  const before = fields.get('data');
  if (name === 'data') fields.set(name, typeof before === 'string' ? `${before}\n${value}` : value);
  else if (name === 'event' || (name === 'id' && !value.includes('\0'))) fields.set(name, value);
  else if (name === 'retry' && /^\d+$/.test(value)) fields.set(name, Number(value));
}

function readFields(text: string, media: MediaTypeSpec | undefined): ContentReading {
  if (media === undefined) return opaque;
  const reading = readForm(text.trim(), media);
  if (reading.ok) return { kind: 'value', value: reading.value };
  return reading.member === undefined
    ? { kind: 'unreadable', reason: reading.message.replace(/^T/, 't').replace(/\.$/, '') }
    : opaque;
}

/**
 * A text is read as its schema requires: as a string, or as a number or a boolean in JSON notation.
 */
function readText(text: string, media: MediaTypeSpec | undefined): ContentReading {
  const flat = media?.schema?.flatten();
  if (
    flat === undefined ||
    flat.node.format === 'binary' ||
    flat.node['contentEncoding'] !== undefined
  )
    return opaque;
  const kept = media?.schema?.validate(text, 'response').length === 0;
  // A line break at the end belongs to the file, not to the value.
  if (flat.types.includes('string'))
    return { kind: 'value', value: kept ? text : text.replace(/\r?\n$/, '') };
  if (!flat.types.some((type) => ['integer', 'number', 'boolean'].includes(type))) return opaque;
  const reading = parseJson(text.trim());
  return { kind: 'value', value: reading.ok ? reading.value : text };
}

const xmlName = String.raw`[A-Za-z_:\u0080-\uFFFF][\w:.\u0080-\uFFFF-]*`;
const attributes = String.raw`(?:"[^"]*"|'[^']*'|[^<>"'])*`;
const token = new RegExp(
  [
    String.raw`<!--[\s\S]*?-->`,
    String.raw`<!\[CDATA\[[\s\S]*?\]\]>`,
    String.raw`<\?[\s\S]*?\?>`,
    String.raw`<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>`,
    `<(/?)(${xmlName})(${attributes})>`,
  ].join('|'),
  'g',
);

/**
 * Why a text is certainly not a well-formed XML document (XML 1.0, section 2.1), as a clause;
 * undefined if no error was found.
 */
export function whyNotXml(text: string): string | undefined {
  const document = text.replace(/^\uFEFF/, '').trim();
  if (!document.startsWith('<')) return 'it does not begin with an element';
  const open: string[] = [];
  let roots = 0;
  let end = 0;
  for (const { 0: whole, 1: slash, 2: name, 3: rest = '', index } of document.matchAll(token)) {
    const between = document.slice(end, index);
    end = index + whole.length;
    if (between.includes('<')) {
      const where = open.length === 0 ? '' : `, in ${open.at(-1) ?? ''}`;
      return `a < is where no element begins${where}`;
    }
    if (open.length === 0 && between.trim() !== '') return 'text is outside the root element';
    if (name === undefined) continue;
    if (slash === '/') {
      const opened = open.pop();
      if (opened !== name)
        return opened === undefined
          ? `${name} ends and never began`
          : `${opened} is ended by ${name}`;
    } else {
      if (open.length === 0) roots += 1;
      if (!rest.endsWith('/')) open.push(name);
    }
  }
  if (open.length > 0) return `${open.at(-1) ?? ''} never ends`;
  if (document.slice(end).trim() !== '') return 'text is after the root element';
  return roots === 1 ? undefined : `it has ${String(roots)} root elements`;
}
