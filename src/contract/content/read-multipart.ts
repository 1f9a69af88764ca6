import {
  binaryText,
  isJsonMediaType,
  matchesMediaRange,
  parseMediaType,
  type WrittenContent,
} from '../../http/media-type.ts';
import { type HeaderList, headerValues } from '../../http/message.ts';
import { decodeUtf8, parseJson } from '../../json/parse-json.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { type JsonArray, type JsonValue, stringifyJson } from '../../json/value.ts';
import type { MemberEncoding } from '../model.ts';
import type { ExpectedValue } from '../parameter/expected-value.ts';
import { FormReader, type FormResult, type LeafReading, readJsonLeaf } from './form-reader.ts';
import type { FormSpec } from './form.ts';

/**
 * Reads `multipart/form-data` (RFC 7578) by the properties of its schema: a part with a JSON type
 * is JSON, a file is a text with one character per byte, several parts with one name are a list,
 * all others are texts. Refuses a part whose media type `encoding` does not allow. Never throws.
 */
export function readMultipart(
  body: Uint8Array,
  contentType: string,
  { schema, encoding }: FormSpec,
): FormResult {
  const split = splitMultipart(body, contentType);
  if (!split.ok) return split;
  const reader = new FormReader(schema);
  for (const [index, part] of split.parts.entries()) {
    const disposition = readDisposition(part);
    if (disposition === undefined)
      return {
        ok: false,
        message:
          `The multipart body cannot be read. Part ${String(index + 1)} ` +
          'has no header Content-Disposition that names its field.',
      };
    const { name } = disposition;
    reader.add(
      name,
      readPart({ ...part, ...disposition }, reader.expected(name), encoding?.get(name)),
    );
  }
  return reader.finish();
}

interface Disposition {
  readonly name: string;
  readonly isFile: boolean;
}

/**
 * RFC 7578, section 4.2. Browsers write `"`, CR and LF in a name as percent-escapes (WHATWG HTML,
 * section 4.10.22.8).
 */
function readDisposition(part: BodyPart): Disposition | undefined {
  // Apart from the slash, the field has the grammar of a media type.
  const parsed = parseMediaType(`part/${onlyHeader(part, 'content-disposition') ?? ''}`);
  const name = parsed?.parameters.get('name');
  if (parsed?.essence !== 'part/form-data' || name === undefined) return undefined;
  const plain = name.replaceAll(/%22|%0D|%0A/gi, (escape) => decodeURIComponent(escape));
  return {
    name: plain,
    isFile: parsed.parameters.has('filename') || parsed.parameters.has('filename*'),
  };
}

function readPart(
  part: BodyPart & Disposition,
  expected: ExpectedValue,
  encoding: MemberEncoding | undefined,
): LeafReading {
  const written = onlyHeader(part, 'content-type');
  const allowed = (encoding?.contentType ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  if (written !== undefined && !isAllowed(written, allowed)) {
    return {
      ok: false,
      message: `must be ${allowed.join(' or ')}, but is ${quoteExcerpt(written)}`,
    };
  }
  const type = written ?? (allowed.length === 1 ? allowed[0] : undefined) ?? 'text/plain';
  if (isJsonMediaType(type) && !isText(expected)) return readJsonLeaf(part.bytes);
  return part.isFile ? readFile(part.bytes, type) : readText(part.bytes);
}

function isAllowed(type: string, allowed: readonly string[]): boolean {
  return allowed.length === 0 || allowed.some((range) => matchesMediaRange(type, range));
}

function readFile(bytes: Uint8Array, type: string): LeafReading {
  const text = type.startsWith('text/') ? decodeUtf8(bytes) : undefined;
  const value = text?.ok === true ? text.text : binaryText(bytes);
  return { ok: true, leaf: { kind: 'value', value } };
}

function readText(bytes: Uint8Array): LeafReading {
  const text = decodeUtf8(bytes);
  return text.ok
    ? { ok: true, leaf: { kind: 'text', text: text.text } }
    : { ok: false, message: 'is not UTF-8' };
}

/** Whether a member is a text or a list of texts with any content, such as an uploaded file. */
function isText({ types, layout, item }: ExpectedValue): boolean {
  if (layout === 'list') return isText(item(0));
  return types.has('string') && !types.has('object') && !types.has('array');
}

interface BodyPart {
  readonly headers: HeaderList;
  readonly bytes: Uint8Array;
}

/** The parts of a body, or a sentence that says why it cannot be split. */
type MultipartResult =
  | { readonly ok: true; readonly parts: readonly BodyPart[] }
  | { readonly ok: false; readonly message: string };

const maxParts = 1_000;

const maxHeaderBytes = 16_384;

const maxHeaders = 32;

/** The grammar of a boundary (RFC 2046, section 5.1.1). */
const boundaryShape = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/**
 * Splits a multipart body into its parts (RFC 2046, section 5.1), strictly: lines end in CRLF, the
 * last boundary is required, and headers are bounded in number and length. Ignores the text before
 * the first boundary and after the last.
 */
function splitMultipart(body: Uint8Array, contentType: string): MultipartResult {
  const boundary = parseMediaType(contentType)?.parameters.get('boundary');
  if (boundary === undefined) return refuse('Its Content-Type names no boundary');
  if (!boundaryShape.test(boundary)) return refuse('Its Content-Type names an invalid boundary');
  return new Splitter(body, boundary).split();
}

function refuse(message: string): Extract<MultipartResult, { ok: false }> {
  return { ok: false, message: `The multipart body cannot be read. ${message}.` };
}

class Splitter {
  readonly #bytes: Buffer;
  readonly #mark: Buffer;
  readonly #parts: BodyPart[] = [];

  constructor(body: Uint8Array, boundary: string) {
    this.#bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  split(): MultipartResult {
    let at = this.#first();
    if (at === undefined)
      return refuse('It does not hold the boundary that its Content-Type names');
    for (;;) {
      if (this.#isAt(at, '--')) return { ok: true, parts: this.#parts };
      const start = this.#afterLine(at);
      if (start === undefined) return refuse('A boundary is not followed by a line break (CRLF)');
      const end = this.#bytes.indexOf(this.#mark, start - 2);
      if (end === -1) return refuse('It ends before its last boundary');
      if (this.#parts.length >= maxParts)
        return refuse(`It has more than ${String(maxParts)} parts`);
      const part = splitPart(this.#bytes.subarray(start, Math.max(start, end)));
      if (typeof part === 'string')
        return refuse(`${part} in part ${String(this.#parts.length + 1)}`);
      this.#parts.push(part);
      at = end + this.#mark.length;
    }
  }

  /** Where the first boundary ends; it must begin the body or a line. */
  #first(): number | undefined {
    const bare = this.#mark.subarray(2);
    if (this.#bytes.subarray(0, bare.length).equals(bare)) return bare.length;
    const found = this.#bytes.indexOf(this.#mark);
    return found === -1 ? undefined : found + this.#mark.length;
  }

  /** Where the line after a boundary begins; spaces may follow the boundary. */
  #afterLine(at: number): number | undefined {
    let here = at;
    while (this.#bytes[here] === 0x20 || this.#bytes[here] === 0x09) here += 1;
    return this.#isAt(here, '\r\n') ? here + 2 : undefined;
  }

  #isAt(at: number, text: string): boolean {
    return this.#bytes.toString('latin1', at, at + text.length) === text;
  }
}

/** A part, or what is wrong with it. */
function splitPart(bytes: Buffer): BodyPart | string {
  if (bytes.toString('latin1', 0, 2) === '\r\n') return { headers: [], bytes: bytes.subarray(2) };
  const end = bytes.subarray(0, maxHeaderBytes).indexOf('\r\n\r\n');
  if (end === -1)
    return bytes.length > maxHeaderBytes ? 'The headers are too long' : 'The headers do not end';
  const text = decodeUtf8(bytes.subarray(0, end));
  if (!text.ok) return 'The headers are not UTF-8';
  const lines = text.text.split('\r\n');
  if (lines.length > maxHeaders) return `There are more than ${String(maxHeaders)} headers`;
  const headers = lines
    .map((line) => headerLine.exec(line))
    .map((match): readonly [string, string] | undefined =>
      match === null ? undefined : [match[1] ?? '', (match[2] ?? '').trim()],
    );
  const whole = headers.filter((header) => header !== undefined);
  return whole.length === headers.length
    ? { headers: whole, bytes: bytes.subarray(end + 4) }
    : 'One line is not a header';
}

/**
 * A name and a value without control characters (RFC 9110, section 5.5); folded lines are refused.
 */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\u0080-\uffff]*)$/u;

/** The only value of a header of a part; undefined if it is missing or repeated. */
function onlyHeader({ headers }: BodyPart, name: string): string | undefined {
  const values = headerValues(headers, name);
  return values.length === 1 ? values[0] : undefined;
}

/** Writes each item as one part (RFC 2046, section 5.1): texts unchanged, other values as JSON. */
export function writeMultipartItems(items: JsonArray, mediaType: string): WrittenContent {
  const parts = items.map((item) => {
    const isPlain = typeof item === 'string';
    const type = isPlain ? 'text/plain; charset=utf-8' : 'application/json';
    return `Content-Type: ${type}\r\n\r\n${isPlain ? item : stringifyJson(item)}\r\n`;
  });
  let boundary = 'vouch-boundary';
  for (let count = 1; parts.some((part) => part.includes(boundary)); count += 1)
    boundary = `vouch-boundary-${String(count)}`;
  const text = `${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`;
  return {
    mediaType: `${parseMediaType(mediaType)?.essence ?? mediaType}; boundary=${boundary}`,
    bytes: new TextEncoder().encode(text),
  };
}

/** The items of a body, or a sentence that says why it cannot be read. */
export type ItemsReading =
  | { readonly ok: true; readonly items: readonly JsonValue[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads each part as an item: JSON if its media type says so, otherwise a text, or one character
 * per byte. Never throws.
 */
export function readMultipartItems(body: Uint8Array, contentType: string): ItemsReading {
  const split = splitMultipart(body, contentType);
  if (!split.ok) return split;
  const items: JsonValue[] = [];
  for (const [index, part] of split.parts.entries()) {
    const item = readItem(part);
    if (item === undefined) {
      const name = `Part ${String(index + 1)} of the body`;
      return { ok: false, message: `${name} is not valid JSON, as its Content-Type says.` };
    }
    items.push(item);
  }
  return { ok: true, items };
}

function readItem(part: BodyPart): JsonValue | undefined {
  if (isJsonMediaType(onlyHeader(part, 'content-type') ?? 'text/plain')) {
    const reading = parseJson(part.bytes);
    return reading.ok ? reading.value : undefined;
  }
  const text = decodeUtf8(part.bytes);
  return text.ok ? text.text : binaryText(part.bytes);
}
