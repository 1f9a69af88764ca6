import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { codeOf } from '../../errors.ts';
import { emptyBody, type HeaderList, headerValue, headerValues } from '../../http/message.ts';
import { sendTogether } from '../send-response.ts';
import { ServedRequest } from './served-messages.ts';

/** The bytes of a body as sent; a body beyond the limit; or a client that disconnected. */
export type ReceivedBody =
  | { readonly kind: 'read'; readonly body: Uint8Array }
  /** Middleware before the mock has read and decoded it. */
  | { readonly kind: 'parsed'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/** A request whose body is read. */
interface Wanted {
  readonly request: IncomingMessage;
  readonly limit: number;
  readonly done: (reading: ReceivedBody) => void;
}

let wanted: Wanted[] = [];

/**
 * Reads the body of a request, and stops at the first byte beyond `limit`. Never throws; calls
 * `done` once; holds at most `limit` bytes and one chunk.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (reading: ReceivedBody) => void,
): void {
  const parsed = parsedBody(request);
  if (parsed !== undefined)
    return done(parsed.length > limit ? { kind: 'too-large' } : { kind: 'parsed', body: parsed });
  if (request instanceof ServedRequest) request.sendContinue();
  // Answers all requests of one turn of the event loop together. Alternating between reading and
  // answering is a fifth slower under load, because it defeats the caches of the processor.
  if (wanted.length === 0) setImmediate(takeWanted);
  wanted.push({ request, limit, done });
}

function takeWanted(): void {
  const bodies = wanted;
  wanted = [];
  sendTogether(() => {
    for (const body of bodies) take(body);
  });
}

/**
 * Takes a complete body at once, as most are by then: a stream would cost more than the rest of the
 * work.
 */
function take({ request, limit, done }: Wanted): void {
  const body = request instanceof ServedRequest ? request.takeWhole() : undefined;
  if (body === undefined) return collect(request, limit, done);
  done(body.length > limit ? { kind: 'too-large' } : { kind: 'read', body });
}

/** Declares that a request has no body. */
export function forgoBody(request: IncomingMessage): void {
  if (request instanceof ServedRequest) request.forgoBody();
}

/** The listeners stay, because removing them would cost more than what they do. */
function collect(
  request: IncomingMessage,
  limit: number,
  resolve: (reading: ReceivedBody) => void,
): void {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let settled = false;
  const settle = (reading: ReceivedBody): void => {
    settled = true;
    chunks = [];
    resolve(reading);
  };
  const keep = (chunk: Uint8Array): void => {
    // Discards everything after the limit.
    if (settled) return;
    size += chunk.length;
    if (size <= limit) return void chunks.push(chunk);
    request.pause();
    settle({ kind: 'too-large' });
  };
  const leave = (): void => {
    if (!settled) settle({ kind: 'gone' });
  };
  if (request.destroyed && !request.readableEnded) return leave();
  request
    .on('data', keep)
    .on('end', () => settle({ kind: 'read', body: join(chunks) }))
    .on('close', leave)
    .on('error', leave);
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? emptyBody);
}

/** A request after a body parser of Express. */
interface ParsedRequest extends IncomingMessage {
  readonly body?: unknown;
  /** The original bytes, if the `verify` function of a parser stored them. */
  readonly rawBody?: unknown;
}

const encoder = new TextEncoder();

/**
 * The bytes of a body that middleware such as `express.json()` has read; undefined if the body is
 * unread. Serializes the parsed value in the media type of the request: as a form or as JSON.
 * Numbers beyond a double are lost, unless `rawBody` has the bytes.
 */
function parsedBody(request: ParsedRequest): Uint8Array | undefined {
  if (!request.readableEnded) return undefined;
  for (const bytes of [request.rawBody, request.body])
    if (bytes instanceof Uint8Array) return bytes;
  const { body } = request;
  if (body === undefined) return emptyBody;
  if (typeof body === 'string' && !isOfType(request, /^application\/(.*\+)?json/i))
    return encoder.encode(body);
  if (isOfType(request, /^application\/x-www-form-urlencoded/i))
    return encoder.encode(new URLSearchParams(pairsOf('', body)).toString());
  return encoder.encode(JSON.stringify(body));
}

function isOfType({ headers }: IncomingMessage, type: RegExp): boolean {
  return type.test(headers['content-type'] ?? '');
}

/** Nested members in the notation of form parsers, `a[b]=1`; a list of texts repeats its name. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map((item) => [name, String(item)]);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      pairsOf(name === '' ? key : `${name}[${key}]`, member),
    );
  return [[name, String(value)]];
}

type ContentCoding = 'identity' | 'gzip' | 'deflate' | 'br';

/** The codings, as `Accept-Encoding` lists them. */
export const acceptedCodings = 'gzip, deflate, br';

/** A decoded body, or why it cannot be decoded. */
type Decoding =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' };

const names: ReadonlyMap<string, ContentCoding> = new Map([
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);

/**
 * The coding in a `Content-Encoding` header (RFC 9110, section 8.4.1), `identity` without one.
 * Undefined for an unknown coding and for a chain of codings, which would multiply the work for a
 * small body.
 */
export function readCodings(headers: HeaderList): ContentCoding | undefined {
  if (headerValue(headers, 'Content-Encoding') === undefined) return 'identity';
  const applied = headerValues(headers, 'Content-Encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  return applied.length > 1 ? undefined : names.get(applied[0] ?? 'identity');
}

const decoders = {
  gzip: promisify(gunzip),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
};

/** Decodes a body; stops after more than `limit` bytes. An empty body is empty in every coding. */
export async function decodeBody(
  body: Uint8Array,
  coding: ContentCoding,
  limit: number,
): Promise<Decoding> {
  if (coding === 'identity' || body.length === 0) return { kind: 'decoded', body };
  try {
    return {
      kind: 'decoded',
      body: await decoderFor(coding, body)(body, { maxOutputLength: limit }),
    };
  } catch (error) {
    return { kind: codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'malformed' };
  }
}

function decoderFor(
  coding: Exclude<ContentCoding, 'identity'>,
  body: Uint8Array,
): (typeof decoders)['gzip'] {
  if (coding !== 'deflate') return decoders[coding];
  // Some clients send deflate without the zlib wrapper of RFC 9110, section 8.4.1.2; the first
  // nibble of the wrapper is 8.
  return ((body[0] ?? 0) & 0x0f) === 8 ? decoders.inflate : decoders.inflateRaw;
}
