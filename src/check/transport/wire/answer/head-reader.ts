import { maxHeaderBytes, sizeWords } from '../../limits.ts';
import type { Breaches, Fault } from './breaches.ts';
import { notHttp } from './not-http.ts';
import { readHead, type ResponseHead } from './read-head.ts';
import { showBytes } from './show-bytes.ts';

/**
 * A header that came whole, with the index of the byte after it; that more is needed; or that there
 * will be none.
 */
export type HeadFound =
  | { readonly kind: 'more' }
  | { readonly kind: 'whole'; readonly head: ResponseHead; readonly rest: number }
  | { readonly kind: 'broken'; readonly fault: Fault };

const more: HeadFound = { kind: 'more' };
const LF = 10;
const CR = 13;
const start = Buffer.from('HTTP/');

interface Looking {
  readonly from: number;
  readonly searchFrom: number;
  /** What turns an index into the kept bytes into one into those that came last. */
  readonly offset: number;
}

/** Collects the bytes of a header until its empty line, however many pieces it comes in. */
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

  /** Takes bytes in from an index on. */
  push(bytes: Buffer, from: number): HeadFound {
    if (this.#used === 0) return this.#look(bytes, { from, searchFrom: from, offset: 0 });
    const before = this.#used;
    this.#keep(bytes, from);
    // What was searched already needs no second look, but for an end that is cut in two.
    return this.#look(this.#kept.subarray(0, this.#used), {
      from: 0,
      searchFrom: Math.max(0, before - 3),
      offset: from - before,
    });
  }

  /** What it means that the connection ends here. */
  end(): HeadFound {
    const bytes = this.#kept.subarray(0, this.#used);
    return this.#used === 0 || beginsWell(bytes) ? more : { kind: 'broken', fault: notHttp(bytes) };
  }

  #look(bytes: Buffer, { from, searchFrom, offset }: Looking): HeadFound {
    const begin = skipLineEnds(bytes, from);
    if (!beginsWell(bytes, begin)) return { kind: 'broken', fault: notHttp(bytes.subarray(begin)) };
    const end = findEnd(bytes, begin, Math.max(begin, searchFrom));
    if ((end === undefined ? bytes.length - begin : end.text.length) > maxHeaderBytes) {
      return {
        kind: 'broken',
        fault: {
          kind: 'headers.too-large',
          message: `the header of the answer is larger than ${sizeWords(maxHeaderBytes)}.`,
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
 * Line ends before a status line are left over from the answer before it, and mean nothing (RFC
 * 9112, section 9.2).
 */
function skipLineEnds(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + 4 && (bytes[at] === CR || bytes[at] === LF)) at += 1;
  return at;
}

/** Whether what came so far can become a status line. */
function beginsWell(bytes: Uint8Array, from = 0): boolean {
  for (let index = 0; index < start.length && from + index < bytes.length; index += 1)
    if (bytes[from + index] !== start[index]) return false;
  return true;
}

/** The text of the header, and the index after its empty line. */
interface HeadEnd {
  readonly text: string;
  readonly rest: number;
  /** The empty line, or the line before it, ends in LF alone. */
  readonly bare: boolean;
}

/**
 * The end of the header; whatever line ends come first count (RFC 9112, section 2.2). Nothing
 * before `searchFrom` is an end.
 */
function findEnd(bytes: Buffer, begin: number, searchFrom: number): HeadEnd | undefined {
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
