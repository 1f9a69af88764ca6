import { type HttpResponse, emptyBody, headerValue, isSameName } from '../../../../http/message.ts';
import { isStream } from '../../../../http/media-type.ts';
import { maxBodyBytes, maxInterimAnswers, sizeWords } from '../../send.ts';
import { Breaches, type ResponseFault, showLatin1 } from './breaches.ts';
import { type ByteBudget, ByteStore, ChunkedReader } from './byte-store.ts';
import { HeadReader, type ResponseHead } from './read-head.ts';

/** The state of a response that is being read. */
export type Reading =
  | { readonly kind: 'more' }
  /** `rest`: the index of the first byte after the response. */
  | { readonly kind: 'whole'; readonly response: HttpResponse; readonly rest: number }
  | { readonly kind: 'broken'; readonly fault: ResponseFault };

const more: Reading = { kind: 'more' };
/** How long a server probably keeps an idle connection without a promise. */
const usualMs = 4_000;

/**
 * Reads one response at a time as its bytes arrive, as leniently as possible. Reused for each
 * request of a connection.
 */
export class ResponseReader {
  readonly breaches = new Breaches();
  readonly #body: ByteStore;
  readonly #max: number;
  readonly #headReader = new HeadReader(this.breaches);
  #method = 'GET';
  #head: ResponseHead | undefined;
  #mode: 'head' | 'length' | 'chunked' | 'close' = 'head';
  #length = 0;
  #chunks: ChunkedReader | undefined;
  #interim = 0;
  #received = 0;
  /** The last `Keep-Alive`, cached because servers repeat it. */
  #keepAlive: { readonly said: string | undefined; readonly ms: number } = {
    said: undefined,
    ms: usualMs,
  };

  /** With a budget, a body of any size is read: one that exceeds the budget is not stored. */
  constructor(budget?: ByteBudget) {
    this.#body = new ByteStore(budget);
    this.#max = budget === undefined ? maxBodyBytes : Number.POSITIVE_INFINITY;
  }

  /** Prepares for the response to a request with that method. */
  begin(method: string): void {
    this.#method = method;
    this.#head = undefined;
    this.#mode = 'head';
    this.#interim = 0;
    this.#received = 0;
    this.#chunks = undefined;
    this.#body.clear();
    this.#headReader.clear();
    this.breaches.clear();
  }

  /** The number of received bytes of the response. */
  get received(): number {
    return this.#received;
  }

  /** The status, once the header is complete. */
  get status(): number | undefined {
    return this.#head?.status;
  }

  /** The header, once it is complete. */
  get head(): ResponseHead | undefined {
    return this.#head;
  }

  /** Whether all received bytes belong to complete interim responses. */
  get isBetweenHeads(): boolean {
    return this.#mode === 'head' && this.#headReader.isEmpty;
  }

  /** Whether the body exceeded the budget: `body` of the response is empty. */
  get bodyDropped(): boolean {
    return this.#body.dropped;
  }

  get bodyReceived(): number {
    return this.#body.length;
  }

  /** The length of the body according to the header, if stated. */
  get bodyExpected(): number | undefined {
    return this.#mode === 'length' ? this.#length : undefined;
  }

  /** Whether a stream has begun: a success without a length, in a media type of streams. */
  get isStream(): boolean {
    const { status = 0, headers = [] } = this.#head ?? {};
    if ((this.#mode !== 'chunked' && this.#mode !== 'close') || status < 200 || status > 299)
      return false;
    // A coding has no end of its own in the middle.
    const isCoded = headerValue(headers, 'content-encoding') !== undefined;
    return !isCoded && isStream(headerValue(headers, 'content-type') ?? '');
  }

  /** The response with what has come of its body. */
  cut(why: 'open' | 'broken off'): HttpResponse {
    const { status = 0, headers = [] } = this.#head ?? {};
    return { status, headers, body: this.#body.take(), cut: why };
  }

  /** Whether the connection stays open after the response (RFC 9112, section 9.3). */
  get persistent(): boolean {
    if (this.#head === undefined || this.#mode === 'close') return false;
    const said = headerValue(this.#head.headers, 'connection');
    if (said === undefined) return !this.#head.old;
    return this.#head.old ? /\bkeep-alive\b/i.test(said) : !/\bclose\b/i.test(said);
  }

  /** Whether the response ended with the connection itself. */
  get closesItself(): boolean {
    return this.#mode === 'close';
  }

  /**
   * How long an idle connection probably stays open: one second less than `Keep-Alive` promises,
   * otherwise 4 s.
   */
  get keepAliveMs(): number {
    const said = this.#head && headerValue(this.#head.headers, 'keep-alive');
    if (said !== this.#keepAlive.said) this.#keepAlive = { said, ms: promisedMs(said ?? '') };
    return this.#keepAlive.ms;
  }

  /** Adds received bytes. The caller may reuse `bytes` afterwards. */
  push(bytes: Buffer): Reading {
    this.#received += bytes.length;
    let at = 0;
    while (this.#mode === 'head') {
      const found = this.#headReader.push(bytes, at);
      if (found.kind !== 'whole') return found;
      at = found.rest;
      const reading = this.#takeHead(found.head, at);
      if (reading !== undefined) return reading;
    }
    return this.#pushBody(bytes, at);
  }

  /** Notes that the server closed its side. */
  end(): Reading {
    if (this.#mode === 'head') {
      const found = this.#headReader.end();
      return found.kind === 'broken' ? found : more;
    }
    if (this.#mode !== 'close') return more;
    return this.#whole(this.#body.take(), 0);
  }

  /** The result if the header alone decides; undefined if there is more to read. */
  #takeHead(head: ResponseHead, rest: number): Reading | undefined {
    const { status } = head;
    if (status === 101)
      return broken({
        kind: 'protocol.unsolicited-upgrade',
        message: 'the status is 101, although the request did not ask for another protocol.',
      });
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim <= maxInterimAnswers) return undefined;
      return broken({
        kind: 'protocol.interim-flood',
        message:
          `more than ${String(maxInterimAnswers)} interim responses were received (status ` +
          `${String(status)}), and none that counts.`,
      });
    }
    this.#head = head;
    const framing = frameBody(this.#method, head, this.breaches);
    if (framing.kind === 'broken') return framing;
    if (framing.kind === 'none') return this.#whole(emptyBody, rest);
    this.#mode = framing.kind;
    if (framing.kind === 'chunked')
      this.#chunks = new ChunkedReader(this.#body, this.breaches, { max: this.#max });
    if (framing.kind !== 'length') return undefined;
    this.#length = framing.length;
    if (framing.length <= this.#max) return undefined;
    return broken({
      kind: 'body.too-large',
      message:
        `the body of the response is larger than ${sizeWords(maxBodyBytes)}: ` +
        `Content-Length is ${String(framing.length)}.`,
    });
  }

  #pushBody(bytes: Buffer, at: number): Reading {
    if (this.#mode === 'length') return this.#pushLength(bytes, at);
    if (this.#chunks !== undefined) return this.#pushChunks(this.#chunks, bytes, at);
    if (at < bytes.length) this.#body.add(bytes, at, bytes.length);
    if (this.#body.length <= this.#max) return more;
    return broken({
      kind: 'body.too-large',
      message:
        `the body of the response is larger than ${sizeWords(maxBodyBytes)}, and ` +
        'its header has no length.',
    });
  }

  #pushLength(bytes: Buffer, at: number): Reading {
    const end = Math.min(bytes.length, at + this.#length - this.#body.length);
    if (end > at) this.#body.add(bytes, at, end);
    return this.#body.length < this.#length ? more : this.#whole(this.#body.take(), end);
  }

  #pushChunks(chunks: ChunkedReader, bytes: Buffer, at: number): Reading {
    const rest = chunks.push(bytes, at);
    if (chunks.fault !== undefined) return broken(chunks.fault);
    return chunks.done ? this.#whole(this.#body.take(), rest) : more;
  }

  #whole(body: Uint8Array, rest: number): Reading {
    const head = this.#head;
    return {
      kind: 'whole',
      response: { status: head?.status ?? 0, headers: head?.headers ?? [], body },
      rest,
    };
  }
}

function promisedMs(keepAlive: string): number {
  const seconds = /\btimeout=(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? usualMs : Math.max(0, Number(seconds) - 1) * 1_000;
}

function broken(fault: ResponseFault): Reading {
  return { kind: 'broken', fault };
}

/** How the body of a response ends (RFC 9112, section 6.3). */
type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }
  | { readonly kind: 'broken'; readonly fault: ResponseFault };

const none: BodyFraming = { kind: 'none' };
const chunked: BodyFraming = { kind: 'chunked' };
const close: BodyFraming = { kind: 'close' };

/**
 * Decides how the body ends, and notes violations in the header. `method` is that of the request.
 */
function frameBody(method: string, head: ResponseHead, breaches: Breaches): BodyFraming {
  let codings: string | undefined;
  let lengths: string[] | undefined;
  for (const field of head.headers) {
    if (isSameName(field[0], 'content-length')) (lengths ??= []).push(field[1]);
    else if (isSameName(field[0], 'transfer-encoding'))
      codings = codings === undefined ? field[1] : `${codings}, ${field[1]}`;
  }
  if (method === 'HEAD' || head.status === 304) return none;
  if (head.status === 204) return frameNoContent(codings, lengths, breaches);
  if (codings !== undefined) return frameCoded(codings, lengths, { head, breaches });
  return lengths === undefined ? close : frameLength(lengths, breaches);
}

/** A 204 never has a body; many frameworks send `Content-Length: 0`, which harms no client. */
function frameNoContent(
  codings: string | undefined,
  lengths: readonly string[] | undefined,
  breaches: Breaches,
): BodyFraming {
  if (codings !== undefined)
    breaches.add('framing.length-not-allowed', `a 204 answer has Transfer-Encoding: ${codings}`);
  const length = lengths?.find((value) => value.trim() !== '0');
  if (length !== undefined)
    breaches.add(
      'framing.length-not-allowed',
      `a 204 answer has Content-Length: ${showLatin1(length)}`,
    );
  return none;
}

function frameCoded(
  written: string,
  lengths: readonly string[] | undefined,
  { head, breaches }: { readonly head: ResponseHead; readonly breaches: Breaches },
): BodyFraming {
  const codings = written
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '');
  if (lengths !== undefined)
    breaches.add(
      'framing.length-and-coding',
      `Content-Length: ${showLatin1(lengths.join(', '))} is present with ` +
        `Transfer-Encoding: ${showLatin1(written)}`,
    );
  if (head.old)
    breaches.add(
      'framing.transfer-encoding',
      `an HTTP/1.0 answer has Transfer-Encoding: ${showLatin1(written)}`,
    );
  const last = codings.at(-1) === 'chunked';
  if (codings.length !== 1 || !last)
    breaches.add(
      'framing.transfer-encoding',
      `Transfer-Encoding is ${showLatin1(written)}, although the request allows only chunked`,
    );
  return last ? chunked : close;
}

function frameLength(lengths: readonly string[], breaches: Breaches): BodyFraming {
  const all =
    lengths.length === 1 && lengths[0]?.includes(',') === false
      ? lengths
      : lengths.flatMap((value) => value.split(',').map((part) => part.trim()));
  const [first = ''] = all;
  if (all.length > 1) {
    if (all.some((other) => other !== first))
      return brokenFraming(
        'framing.length-conflict',
        `Content-Length is given as ${showLatin1(all.slice(0, 5).join(' and as '))}`,
      );
    breaches.add(
      'framing.length-repeated',
      `Content-Length: ${showLatin1(first)} is given ` +
        (all.length === 2 ? 'twice' : `${String(all.length)} times`),
    );
  }
  return /^\d{1,15}$/.test(first)
    ? { kind: 'length', length: Number(first) }
    : brokenFraming('framing.length-invalid', `Content-Length is ${showLatin1(first)}`);
}

function brokenFraming(kind: ResponseFault['kind'], message: string): BodyFraming {
  return { kind: 'broken', fault: { kind, message: `${message}.` } };
}

/** The fault of a connection that ended before its response: nothing was received, or a part. */
export function brokenOff(reader: ResponseReader): ResponseFault {
  if (reader.received === 0)
    return {
      kind: 'connection.reset',
      message: 'the server closed the connection without a response.',
    };
  return {
    kind: 'connection.truncated',
    message: `the response ended early, ${progressOf(reader)}.`,
  };
}

/** The fault of a response that is incomplete at the deadline. */
export function outOfTime(reader: ResponseReader, timeoutMs: number): ResponseFault {
  return {
    kind: 'timeout',
    message:
      reader.received === 0
        ? `no response within ${String(timeoutMs)} ms.`
        : `incomplete response after ${String(timeoutMs)} ms: it stopped ${progressOf(reader)}.`,
  };
}

function progressOf(reader: ResponseReader): string {
  if (reader.status === undefined) return `in its header, after ${countBytes(reader.received)}`;
  const { status, bodyReceived, bodyExpected } = reader;
  const bytes =
    bodyExpected === undefined
      ? countBytes(bodyReceived)
      : `${String(bodyReceived)} of ${String(bodyExpected)} bytes`;
  return `after status ${String(status)} and ${bytes} of the body`;
}

function countBytes(count: number): string {
  return `${String(count)} ${count === 1 ? 'byte' : 'bytes'}`;
}
