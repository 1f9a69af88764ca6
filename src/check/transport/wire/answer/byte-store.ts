import { emptyBody } from '../../../../http/message.ts';
import { maxBodyBytes, maxHeaderBytes, sizeWords } from '../../send.ts';
import { type Breaches, type ResponseFault, showBytes, showLatin1 } from './breaches.ts';

/** The bytes that the bodies of several messages may use together. */
export interface ByteBudget {
  /** The maximum for one body. */
  readonly each: number;
  /** What is left for all of them. */
  left: number;
}

/**
 * Stores received bytes until they are read; the caller may overwrite its buffer afterwards. With a
 * budget, a body that exceeds it is counted and not stored.
 */
export class ByteStore {
  #chunks: Uint8Array[] = [];
  #length = 0;
  #stored = 0;
  #dropped = false;
  readonly #budget: ByteBudget | undefined;

  constructor(budget?: ByteBudget) {
    this.#budget = budget;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether the body exceeded the budget, so that its bytes are not stored. */
  get dropped(): boolean {
    return this.#dropped;
  }

  /** Adds the bytes from one index to another. */
  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.#budget === undefined) return this.#store(bytes, from, to);
    const count = to - from;
    if (!this.#dropped && count <= this.#budget.left && this.#length + count <= this.#budget.each) {
      this.#budget.left -= count;
      this.#stored += count;
      return this.#store(bytes, from, to);
    }
    this.#release();
    this.#dropped = true;
    this.#length += count;
  }

  #store(bytes: Uint8Array, from: number, to: number): void {
    // Small copies share memory: allocating some for each response takes longer than copying it.
    const { buffer, byteOffset, length } = Buffer.copyBytesFrom(bytes, from, to - from);
    this.#chunks.push(new Uint8Array(buffer, byteOffset, length));
    this.#length += length;
  }

  /**
   * All of them in one array. Of a budget they are still taken: the owner of the array gives its
   * length back.
   */
  take(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#stored = 0;
    const [first] = chunks;
    if (first === undefined) return emptyBody;
    if (chunks.length === 1) return first;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  clear(): void {
    if (this.#length === 0) return;
    this.#release();
    this.#dropped = false;
    this.#length = 0;
  }

  #release(): void {
    this.#chunks = [];
    if (this.#budget !== undefined) this.#budget.left += this.#stored;
    this.#stored = 0;
  }
}

const CR = 13;
const LF = 10;

interface ChunkRules {
  /** The maximum size of the body. Default: that of a response. */
  readonly max?: number;
  /** Whether lines must be exactly as RFC 9112, section 7.1, writes them. Default: leniently. */
  readonly isStrict?: boolean;
}

const tokenText = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quotedText = '"(?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"';
const strictSize = new RegExp(
  `^[0-9a-fA-F]{1,13}(?:;${tokenText}(?:=(?:${tokenText}|${quotedText}))?)*$`,
);
const strictTrailer = new RegExp(`^(?:${tokenText}:[\\t -~\\x80-\\xff]*)?$`);

/**
 * Reads a chunked body (RFC 9112, section 7.1): skips extensions and trailers, and accepts lines
 * that end in LF alone, which are breaches.
 */
export class ChunkedReader {
  /** The fault that ends the reading. */
  fault: ResponseFault | undefined;
  done = false;
  #state: 'size' | 'data' | 'data-end' | 'trailer' = 'size';
  #line = '';
  #left = 0;
  #overhead = 0;
  readonly #body: ByteStore;
  readonly #breaches: Breaches;
  readonly #max: number;
  readonly #isStrict: boolean;

  constructor(
    body: ByteStore,
    breaches: Breaches,
    { max = maxBodyBytes, isStrict = false }: ChunkRules = {},
  ) {
    this.#body = body;
    this.#breaches = breaches;
    this.#max = max;
    this.#isStrict = isStrict;
  }

  /** Adds bytes from an index on, and returns the index of the first byte after the body. */
  push(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && !this.done && this.fault === undefined) at = this.#step(bytes, at);
    return at;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'data':
        return this.#readData(bytes, at);
      case 'data-end':
        return this.#readDataEnd(bytes, at);
      default:
        return this.#readLine(bytes, at);
    }
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#body.add(bytes, at, end);
    this.#left -= end - at;
    if (this.#left === 0) this.#state = 'data-end';
    return end;
  }

  #readDataEnd(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    if (byte === CR && this.#line === '') {
      this.#line = '\r';
      return at + 1;
    }
    if (byte !== LF) {
      this.fault = {
        kind: 'framing.chunk-end',
        message: `a chunk is not followed by CRLF, but by ${showBytes(bytes.subarray(at))}.`,
      };
      return at;
    }
    if (this.#line === '') this.#breaches.add('framing.bare-lf', 'a chunk ends in LF without CR');
    this.#line = '';
    this.#state = 'size';
    return at + 1;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    const stop = end === -1 ? bytes.length : end;
    this.#line += bytes.toString('latin1', at, stop);
    this.#overhead += stop - at + 1;
    if (this.#overhead > maxHeaderBytes && this.#body.length < this.#overhead) {
      this.fault = {
        kind: 'headers.too-large',
        message:
          'the sizes, extensions and trailers of the chunks are larger than ' +
          `${sizeWords(maxHeaderBytes)}.`,
      };
      return stop;
    }
    if (end === -1) return stop;
    const line = this.#endLine();
    if (this.#isStrict && !(this.#state === 'size' ? strictSize : strictTrailer).test(line)) {
      this.fault = {
        kind: 'framing.chunk-size',
        message: `a line of the chunks is ${showLatin1(line)}.`,
      };
      return end + 1;
    }
    if (this.#state === 'size') this.#readSize(line);
    else if (line === '') this.done = true;
    return end + 1;
  }

  #endLine(): string {
    const line = this.#line;
    this.#line = '';
    if (line.endsWith('\r')) return line.slice(0, -1);
    this.#breaches.add(
      'framing.bare-lf',
      `a line of the chunked body ends in LF without CR: ${showLatin1(line)}`,
    );
    return line;
  }

  #readSize(line: string): void {
    const size = /^([0-9a-fA-F]{1,16})[ \t]*(?:;.*)?$/.exec(line)?.[1];
    if (size === undefined) {
      this.fault = {
        kind: 'framing.chunk-size',
        message: `the size of a chunk is ${showLatin1(line)}.`,
      };
      return;
    }
    this.#left = Number.parseInt(size, 16);
    if (this.#body.length + this.#left > this.#max) {
      this.fault = {
        kind: 'body.too-large',
        message:
          `the body of the response is larger than ${sizeWords(maxBodyBytes)}: after ` +
          `${String(this.#body.length)} bytes comes a chunk of ` +
          `${String(this.#left)}.`,
      };
    }
    this.#state = this.#left === 0 ? 'trailer' : 'data';
  }
}
