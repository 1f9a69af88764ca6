import { Breaches } from '../check/transport/wire/answer/breaches.ts';
import {
  type ByteBudget,
  ByteStore,
  ChunkedReader,
} from '../check/transport/wire/answer/byte-store.ts';
import {
  findHeadEnd,
  readFields,
  splitHeadLines,
} from '../check/transport/wire/answer/read-head.ts';
import { maxHeaderBytes } from '../check/transport/send.ts';
import { type HeaderList, headerValue, headerValues } from '../http/message.ts';

/** The header of a request as a client sent it. */
export interface SentHead {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  /** Whether the client requests another protocol, or a tunnel (RFC 9110, sections 7.8, 9.3.6). */
  readonly upgrades: boolean;
  /** Whether the client waits for 100 (Continue) before it sends the body. */
  readonly waits: boolean;
}

/** What the next bytes of a client are. `rest`: the index of the first byte after it. */
export type SentPart =
  | { readonly kind: 'more' }
  /** The complete header with its empty line, byte for byte. */
  | {
      readonly kind: 'head';
      readonly head: SentHead;
      readonly bytes: Buffer;
      readonly rest: number;
    }
  | { readonly kind: 'body'; readonly rest: number; readonly isLast: boolean }
  /** Not HTTP/1.1, so where the request ends is unknown; `bytes`: what was held back so far. */
  | { readonly kind: 'unreadable'; readonly bytes: Buffer };

const more: SentPart = { kind: 'more' };
const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) +(\S+)(?: +HTTP\/1\.\d)?$/;
const CR = 13;
const LF = 10;

/**
 * Observes the requests of one connection as their bytes arrive (RFC 9112, sections 2 to 7). It
 * changes nothing: the caller forwards the bytes.
 */
export class RequestReader {
  readonly #body: ByteStore;
  #kept: Buffer = Buffer.alloc(0);
  #chunks: ChunkedReader | undefined;
  #left = 0;
  #inBody = false;

  constructor(budget: ByteBudget) {
    this.#body = new ByteStore(budget);
  }

  /** Whether the connection is between two requests. */
  get isIdle(): boolean {
    return !this.#inBody && this.#kept.length === 0;
  }

  /** Whether the body exceeded the budget, so that it is not stored. */
  get bodyDropped(): boolean {
    return this.#body.dropped;
  }

  /** The body of the request that was read last. */
  takeBody(): Uint8Array {
    return this.#body.take();
  }

  /** Releases what is stored. */
  clear(): void {
    this.#body.clear();
    this.#kept = Buffer.alloc(0);
  }

  /** Reads the next part of the bytes, from an index on. */
  read(bytes: Buffer, at: number): SentPart {
    return this.#inBody ? this.#readBody(bytes, at) : this.#readHead(bytes, at);
  }

  #readHead(bytes: Buffer, at: number): SentPart {
    const before = this.#kept.length;
    const all = before === 0 ? bytes.subarray(at) : Buffer.concat([this.#kept, bytes.subarray(at)]);
    const begin = skipLineEnds(all);
    const end = findHeadEnd(all, begin, Math.max(begin, before - 3));
    if (end === undefined) {
      if (all.length > maxHeaderBytes || !beginsLikeRequest(all.subarray(begin)))
        return this.#giveUp(all);
      // The caller may overwrite its buffer.
      this.#kept = before === 0 ? Buffer.from(all) : all;
      return more;
    }
    const head = parseHead(end.text);
    if (head === undefined || !this.#frame(head)) return this.#giveUp(all);
    this.#kept = Buffer.alloc(0);
    return {
      kind: 'head',
      head,
      bytes: all.subarray(0, end.rest),
      rest: at + end.rest - before,
    };
  }

  #giveUp(bytes: Buffer): SentPart {
    this.#kept = Buffer.alloc(0);
    return { kind: 'unreadable', bytes };
  }

  /** Decides how the body ends (RFC 9112, section 6.3); false if that is unknown. */
  #frame({ headers }: SentHead): boolean {
    this.#body.clear();
    this.#chunks = undefined;
    const codings = headerValues(headers, 'transfer-encoding');
    const lengths = headerValues(headers, 'content-length').map((value) => value.trim());
    if (codings.length > 0) {
      if (!/(?:^|,)[ \t]*chunked[ \t]*$/i.test(codings.join(','))) return false;
      this.#chunks = new ChunkedReader(this.#body, new Breaches(), Number.POSITIVE_INFINITY);
      this.#inBody = true;
      return true;
    }
    const [length = '0'] = lengths;
    if (!/^\d{1,15}$/.test(length) || lengths.some((other) => other !== length)) return false;
    this.#left = Number(length);
    this.#inBody = this.#left > 0;
    return true;
  }

  /** Whether the request whose header was read last has a body that is still to come. */
  get hasBody(): boolean {
    return this.#inBody;
  }

  #readBody(bytes: Buffer, at: number): SentPart {
    if (this.#chunks === undefined) {
      const rest = Math.min(bytes.length, at + this.#left);
      this.#body.add(bytes, at, rest);
      this.#left -= rest - at;
      this.#inBody = this.#left > 0;
      return { kind: 'body', rest, isLast: !this.#inBody };
    }
    const rest = this.#chunks.push(bytes, at);
    if (this.#chunks.fault !== undefined) return this.#giveUp(bytes.subarray(at));
    this.#inBody = !this.#chunks.done;
    return { kind: 'body', rest, isLast: !this.#inBody };
  }
}

/** Line ends before a request line are ignored (RFC 9112, section 2.2). */
function skipLineEnds(bytes: Buffer): number {
  let at = 0;
  while (at < 4 && (bytes[at] === CR || bytes[at] === LF)) at += 1;
  return at;
}

function beginsLikeRequest(bytes: Buffer): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*(?: |$)/.test(bytes.toString('latin1', 0, 64).slice(0, 40));
}

function parseHead(text: string): SentHead | undefined {
  const breaches = new Breaches();
  const lines = splitHeadLines(text, breaches);
  const [, method = '', target = ''] = requestLine.exec(lines[0] ?? '') ?? [];
  if (method === '' || method === 'PRI') return undefined;
  const headers = readFields(lines, breaches);
  return {
    method,
    target,
    headers,
    upgrades: method === 'CONNECT' || headerValue(headers, 'upgrade') !== undefined,
    waits: /^100-continue$/i.test(headerValue(headers, 'expect')?.trim() ?? ''),
  };
}
