import type { HeaderList } from '../../../../http/message.ts';
import { maxHeaderBytes, sizeWords } from '../../send.ts';
import { type Breaches, type ResponseFault, notHttp, showBytes, showLatin1 } from './breaches.ts';

/** The status line and the header fields of a response, names and values as received. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: HeaderList;
  /** HTTP/1.0, which closes the connection by default and has no transfer codings. */
  readonly old: boolean;
}

/** A head, or why the response cannot be used. */
export type HeadReading =
  | { readonly ok: true; readonly head: ResponseHead }
  | { readonly ok: false; readonly fault: ResponseFault };

const statusLine = /^HTTP\/(\d)\.(\d) (\d{3})(?: |$)/;
/**
 * A line end that is not CRLF, a NUL, or a line that begins with a blank: these rare cases are
 * examined one by one.
 */
const odd = /\0|\r(?!\n)|(?<!\r)\n|\n[ \t]/;

/** Parses a head without its empty line. `text` has one character per byte. */
function readHead(text: string, breaches: Breaches): HeadReading {
  const lines = splitHeadLines(text, breaches);
  const first = lines[0] ?? '';
  const match = statusLine.exec(first);
  if (match === null) return { ok: false, fault: badStatusLine(first) };
  const status = Number(match[3]);
  if (status < 100 || status > 599)
    return {
      ok: false,
      fault: {
        kind: 'status.invalid',
        message: `the status is ${String(status)}, in ${showLatin1(first)}.`,
      },
    };
  if (match[1] !== '1') breaches.add('protocol.version', `the status line is ${showLatin1(first)}`);
  return {
    ok: true,
    head: {
      status,
      headers: readFields(lines, breaches),
      old: match[1] === '1' && match[2] === '0',
    },
  };
}

function badStatusLine(line: string): ResponseFault {
  const match = /^HTTP\/\S+\s+(\S+)/.exec(line);
  if (match !== null && !/^\d{3}$/.test(match[1] ?? ''))
    return {
      kind: 'status.invalid',
      message: `the status is ${showLatin1(match[1] ?? '')}, in ${showLatin1(line)}.`,
    };
  return {
    kind: 'protocol.not-http',
    message: `the response is not HTTP/1.1: it begins with ${showLatin1(line)}.`,
  };
}

/**
 * Splits the head into lines leniently: any line end, folded lines joined, NUL and CR read as a
 * space (RFC 9110, section 5.5).
 */
function splitHeadLines(text: string, breaches: Breaches): string[] {
  if (!odd.test(text)) return text.split('\r\n');
  const lines: string[] = [];
  const raws = text.split('\n');
  raws.forEach((raw, index) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    // The last line lost its end with the empty line after it.
    if (line === raw && index < raws.length - 1)
      breaches.add(
        'framing.bare-lf',
        `a line of the header ends in LF without CR: ${showLatin1(line)}`,
      );
    if (/[\0\r]/.test(line))
      breaches.add(
        'framing.header-value',
        `a line of the header holds ${line.includes('\0') ? 'NUL' : 'CR alone'}: ` +
          showLatin1(line),
      );
    const clean = line.replaceAll(/[\0\r]/g, ' ');
    const last = lines.length - 1;
    if (/^[ \t]/.test(clean) && last > 0) {
      breaches.add(
        'framing.header-fold',
        `a header field is folded over two lines, the second of which is ${showLatin1(line)}`,
      );
      lines[last] = `${lines[last] ?? ''} ${trimBlanks(clean)}`;
    } else lines.push(clean);
  });
  return lines;
}

/**
 * Only blanks and tabs surround a value (RFC 9110, section 5.6.3): a character here is a byte, and
 * 0xA0 may be half of one.
 */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

type Field = HeaderList[number];

function readFields(lines: readonly string[], breaches: Breaches): HeaderList {
  const fields: Field[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const field = known.get(line) ?? readField(line);
    if (field === undefined) readOddField(line, { fields, breaches });
    else fields.push(field);
  }
  return fields;
}

// A server repeats most of its header fields. The cache is cleared when it is full.
const known = new Map<string, Field>();
const maxKnown = 256;
const longestKnown = 128;

function readField(line: string): Field | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon <= 0 || !token.test(name)) return undefined;
  const field: Field = [name, trimBlanks(line.slice(colon + 1))];
  if (known.size >= maxKnown) known.clear();
  if (line.length <= longestKnown) known.set(line, field);
  return field;
}

/** A name with surrounding blanks keeps its meaning; a field without a name is left out. */
function readOddField(
  line: string,
  {
    fields,
    breaches,
  }: { readonly fields: (readonly [string, string])[]; readonly breaches: Breaches },
): void {
  breaches.add('framing.header-line', `a line of the header is no field: ${showLatin1(line)}`);
  const [, name, value] = /^[ \t]*([^:\s]+)[ \t]*:(.*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined && token.test(name))
    fields.push([name, trimBlanks(value)]);
}

/**
 * A complete header with the index of the byte after it; or more bytes are needed; or it is
 * invalid.
 */
type HeadFound =
  | { readonly kind: 'more' }
  | { readonly kind: 'whole'; readonly head: ResponseHead; readonly rest: number }
  | { readonly kind: 'broken'; readonly fault: ResponseFault };

const more: HeadFound = { kind: 'more' };
const LF = 10;
const CR = 13;
const start = Buffer.from('HTTP/');

interface Looking {
  readonly from: number;
  readonly searchFrom: number;
  /** The difference between an index into the kept bytes and one into the last chunk. */
  readonly offset: number;
}

/** Collects the bytes of a header until its empty line, in any number of pieces. */
export class HeadReader {
  #kept = Buffer.alloc(0);
  #used = 0;
  readonly #breaches: Breaches;

  constructor(breaches: Breaches) {
    this.#breaches = breaches;
  }

  clear(): void {
    this.#used = 0;
  }

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** Adds bytes from an index on. */
  push(bytes: Buffer, from: number): HeadFound {
    if (this.#used === 0) return this.#look(bytes, { from, searchFrom: from, offset: 0 });
    const before = this.#used;
    this.#keep(bytes, from);
    // Bytes that were already searched are skipped, except for a line end that is cut in two.
    return this.#look(this.#kept.subarray(0, this.#used), {
      from: 0,
      searchFrom: Math.max(0, before - 3),
      offset: from - before,
    });
  }

  /** The result if the connection ends here. */
  end(): HeadFound {
    const bytes = this.#kept.subarray(0, this.#used);
    return this.#used === 0 || beginsWell(bytes) ? more : { kind: 'broken', fault: notHttp(bytes) };
  }

  #look(bytes: Buffer, { from, searchFrom, offset }: Looking): HeadFound {
    const begin = skipLineEnds(bytes, from);
    if (!beginsWell(bytes, begin)) return { kind: 'broken', fault: notHttp(bytes.subarray(begin)) };
    const end = findHeadEnd(bytes, begin, Math.max(begin, searchFrom));
    if ((end === undefined ? bytes.length - begin : end.text.length) > maxHeaderBytes) {
      return {
        kind: 'broken',
        fault: {
          kind: 'headers.too-large',
          message: `the header of the response is larger than ${sizeWords(maxHeaderBytes)}.`,
        },
      };
    }
    if (end === undefined) {
      if (this.#used === 0) this.#keep(bytes, from);
      return more;
    }
    this.#used = 0;
    if (end.bare)
      this.#breaches.add(
        'framing.bare-lf',
        `the header ends in LF without CR: ${showBytes(bytes.subarray(begin, end.rest))}`,
      );
    const reading = readHead(end.text, this.#breaches);
    return reading.ok
      ? { kind: 'whole', head: reading.head, rest: end.rest + offset }
      : { kind: 'broken', fault: reading.fault };
  }

  #keep(bytes: Buffer, from: number): void {
    const needed = this.#used + bytes.length - from;
    if (needed > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, needed * 2));
      this.#kept.copy(larger, 0, 0, this.#used);
      this.#kept = larger;
    }
    bytes.copy(this.#kept, this.#used, from);
    this.#used = needed;
  }
}

/**
 * Line ends before a status line belong to the previous response, and are ignored (RFC 9112,
 * section 9.2).
 */
function skipLineEnds(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + 4 && (bytes[at] === CR || bytes[at] === LF)) at += 1;
  return at;
}

/** Whether the bytes so far can begin a status line. */
function beginsWell(bytes: Uint8Array, from = 0): boolean {
  for (let index = 0; index < start.length && from + index < bytes.length; index += 1)
    if (bytes[from + index] !== start[index]) return false;
  return true;
}

/** The text of the header, and the index after its empty line. */
export interface HeadEnd {
  readonly text: string;
  readonly rest: number;
  /** The empty line, or the line before it, ends in LF alone. */
  readonly bare: boolean;
}

/** The end of the header with any line ends (RFC 9112, section 2.2). Searches from `searchFrom`. */
export function findHeadEnd(bytes: Buffer, begin: number, searchFrom: number): HeadEnd | undefined {
  const proper = bytes.indexOf('\r\n\r\n', searchFrom, 'latin1');
  if (proper !== -1) {
    const text = bytes.toString('latin1', begin, proper);
    if (!text.includes('\n\n') && !text.includes('\n\r\n'))
      return { text, rest: proper + 4, bare: false };
  }
  for (let at = bytes.indexOf(LF, searchFrom); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const rest =
      bytes[at + 1] === LF
        ? at + 2
        : bytes[at + 1] === CR && bytes[at + 2] === LF
          ? at + 3
          : undefined;
    if (rest !== undefined)
      return {
        text: bytes.toString('latin1', begin, bytes[at - 1] === CR ? at - 1 : at),
        rest,
        bare: true,
      };
  }
  return undefined;
}
