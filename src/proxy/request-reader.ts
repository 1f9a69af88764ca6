import { Breaches } from '../check/transport/wire/answer/breaches.ts';
import {
  type ByteBudget,
  ByteStore,
  ChunkedReader,
} from '../check/transport/wire/answer/byte-store.ts';
import { findHeadEnd } from '../check/transport/wire/answer/read-head.ts';
import { maxHeaderBytes } from '../check/transport/send.ts';
import type { RequestHead } from '../server/guard/guard.ts';
import { readRequestHead } from './read-request-head.ts';

/** What the next bytes of a client are. `rest`: the index of the first byte after it. */
export type SentPart =
  | { readonly kind: 'more' }
  /** The complete header with its empty line, byte for byte. */
  | {
      readonly kind: 'head';
      readonly head: RequestHead;
      readonly bytes: Buffer;
      readonly rest: number;
    }
  | { readonly kind: 'body'; readonly rest: number; readonly isLast: boolean }
  /** HTTP/1 that two readers may understand differently; `detail`: why, as a sentence. */
  | { readonly kind: 'faulty'; readonly detail: string }
  /** Not HTTP/1, so where the request ends is unknown; `bytes`: what was held back so far. */
  | { readonly kind: 'unreadable'; readonly bytes: Buffer };

const more: SentPart = { kind: 'more' };
const CRLF = Buffer.from('\r\n');

/**
 * Reads the requests of one connection as their bytes arrive, strictly: what it takes has one
 * meaning for every reader (RFC 9112, sections 2 to 7). It changes nothing: the caller forwards the
 * bytes.
 */
export class RequestReader {
  readonly #body: ByteStore;
  #kept: Buffer = Buffer.alloc(0);
  #breaches = new Breaches();
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

  /** How many bytes of the body have come. */
  get bodyLength(): number {
    return this.#body.length;
  }

  /** The body of the request that was read last. Its bytes leave the budget with the caller. */
  takeBody(): Uint8Array {
    return this.#body.take();
  }

  /** Releases what is stored. */
  clear(): void {
    this.#body.clear();
    this.#kept = Buffer.alloc(0);
    this.#inBody = false;
  }

  /** Reads the next part of the bytes, from an index on. */
  read(bytes: Buffer, at: number): SentPart {
    return this.#inBody ? this.#readBody(bytes, at) : this.#readHead(bytes, at);
  }

  #readHead(bytes: Buffer, at: number): SentPart {
    const before = this.#kept.length;
    const all = before === 0 ? bytes.subarray(at) : Buffer.concat([this.#kept, bytes.subarray(at)]);
    // One empty line before a request line is ignored (RFC 9112, section 2.2).
    const begin = all.subarray(0, 2).equals(CRLF) ? 2 : 0;
    const end = findHeadEnd(all, begin, Math.max(begin, before - 3));
    if (end === undefined) {
      if (all.length > maxHeaderBytes || !beginsLikeRequest(all.subarray(begin)))
        return this.#giveUp(all);
      // The caller may overwrite its buffer.
      this.#kept = before === 0 ? Buffer.from(all) : all;
      return more;
    }
    const reading = readRequestHead(end.text);
    if (reading.kind === 'other') return this.#giveUp(all);
    this.#kept = Buffer.alloc(0);
    if (reading.kind === 'faulty') return reading;
    this.#frame(reading.length);
    return {
      kind: 'head',
      head: reading.head,
      bytes: Buffer.from(all.subarray(0, end.rest)),
      rest: at + end.rest - before,
    };
  }

  #giveUp(bytes: Buffer): SentPart {
    this.#kept = Buffer.alloc(0);
    return { kind: 'unreadable', bytes };
  }

  #frame(length: number | 'chunked'): void {
    this.#body.clear();
    this.#breaches = new Breaches();
    this.#chunks =
      length === 'chunked'
        ? new ChunkedReader(this.#body, this.#breaches, { max: Infinity, isStrict: true })
        : undefined;
    this.#left = length === 'chunked' ? 0 : length;
    this.#inBody = length !== 0;
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
    const detail = this.#chunks.fault?.message ?? this.#breaches.list?.[0]?.message;
    if (detail !== undefined) return { kind: 'faulty', detail: `In the body, ${detail}` };
    this.#inBody = !this.#chunks.done;
    return { kind: 'body', rest, isLast: !this.#inBody };
  }
}

function beginsLikeRequest(bytes: Buffer): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*(?: |$)/.test(bytes.toString('latin1', 0, 64).slice(0, 40));
}
