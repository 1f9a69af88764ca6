import { Breaches, showLatin1 } from '../check/transport/wire/answer/breaches.ts';
import type { ByteBudget } from '../check/transport/wire/answer/byte-store.ts';
import { ByteStore, ChunkedReader } from '../check/transport/wire/answer/byte-store.ts';
import { findHeadEnd } from '../check/transport/wire/answer/read-head.ts';
import { maxHeaderBytes } from '../check/transport/send.ts';
import { type HeaderList, headerValue, headerValues } from '../http/message.ts';
import { parseAuthority, type RequestHead } from '../server/guard/guard.ts';

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

/** The header of a request; `length`: how its body ends, in bytes or by chunks. */
type RequestHeadReading =
  | { readonly kind: 'head'; readonly head: RequestHead; readonly length: number | 'chunked' }
  /** Two readers may understand it differently; `detail`: why, as a sentence. */
  | { readonly kind: 'faulty'; readonly detail: string }
  /** Not HTTP/1.0 or HTTP/1.1. */
  | { readonly kind: 'other' };

const ofHttp1 = /\sHTTP\/1\.\d\s*$/;
const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/(1\.[01])$/;
const field = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Reads the header of a request without its empty line, in which one character is one byte. Takes
 * only what every reader understands alike (RFC 9112, sections 2.2, 3.2, 5.1, 5.2, 6.1 and 6.3):
 * what recipients must or may refuse is faulty.
 */
function readRequestHead(text: string): RequestHeadReading {
  const [first = '', ...lines] = text.split('\r\n');
  if (!ofHttp1.test(/^[^\r\n]*/.exec(first)?.[0] ?? '')) return { kind: 'other' };
  const [, method = '', target = '', version = ''] = requestLine.exec(first) ?? [];
  if (method === '') return faulty(`The request line is ${showLatin1(first)}.`);
  const odd = lines.find((line) => !field.test(line));
  if (odd !== undefined) return faulty(`A line of the header is no field: ${showLatin1(odd)}.`);
  const headers = lines.map(readField);
  const head = { method, target, version, headers };
  const detail = hostFault(head) ?? codingFault(head) ?? lengthFault(head);
  return detail === undefined ? { kind: 'head', head, length: lengthOf(headers) } : faulty(detail);
}

function readField(line: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = field.exec(line) ?? [];
  return [name, value.replaceAll(/^[\t ]+|[\t ]+$/g, '')];
}

function faulty(detail: string): RequestHeadReading {
  return { kind: 'faulty', detail };
}

/** One `Host`, which HTTP/1.0 may leave out (RFC 9112, section 3.2). */
function hostFault({ version, headers }: RequestHead): string | undefined {
  const hosts = headerValues(headers, 'host');
  const [host] = hosts;
  if (hosts.length > 1) return 'The request has more than one Host.';
  if (host === undefined) return version === '1.0' ? undefined : 'The request has no Host.';
  return parseAuthority(host) === undefined ? `The Host is ${showLatin1(host)}.` : undefined;
}

/** `chunked` comes last and once, never with a length, and never in HTTP/1.0 (section 6.1). */
function codingFault({ version, headers }: RequestHead): string | undefined {
  const written = headerValues(headers, 'transfer-encoding');
  if (written.length === 0) return undefined;
  if (version === '1.0') return 'HTTP/1.0 has no Transfer-Encoding.';
  if (headerValue(headers, 'content-length') !== undefined)
    return 'The request has both Content-Length and Transfer-Encoding.';
  const codings = written.flatMap((value) => value.split(',')).map((coding) => coding.trim());
  const at = codings.findIndex((coding) => coding.toLowerCase() === 'chunked');
  return at !== -1 && at === codings.length - 1 && !codings.includes('')
    ? undefined
    : `The Transfer-Encoding is ${showLatin1(written.join(', '))}.`;
}

/** One `Content-Length` of digits (section 6.3). */
function lengthFault({ headers }: RequestHead): string | undefined {
  const lengths = headerValues(headers, 'content-length');
  return lengths.length === 0 || (lengths.length === 1 && /^\d{1,15}$/.test(lengths[0] ?? ''))
    ? undefined
    : `The Content-Length is ${showLatin1(lengths.join(' and '))}.`;
}

function lengthOf(headers: HeaderList): number | 'chunked' {
  return headerValue(headers, 'transfer-encoding') === undefined
    ? Number(headerValue(headers, 'content-length') ?? 0)
    : 'chunked';
}
