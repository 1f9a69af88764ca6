import type { IncomingMessage } from 'node:http';
import { emptyBody } from '../../http/message.ts';
import { sendTogether } from '../send-response.ts';
import { ServedRequest } from './served-messages.ts';

/**
 * The bytes of a body as they were sent; more than allowed; or a client that left before the end.
 */
export type BodyReading =
  | { readonly kind: 'read'; readonly body: Uint8Array }
  /** Middleware before the mock has read it, and undone its content coding. */
  | { readonly kind: 'parsed'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/** A request whose body is wanted. */
interface Wanted {
  readonly request: IncomingMessage;
  readonly limit: number;
  readonly done: (reading: BodyReading) => void;
}

let wanted: Wanted[] = [];

/**
 * Reads the body of a request, and stops at the first byte beyond `limit`: the rest stays unread.
 * Never throws; tells `done` once; holds at most
 * `limit` bytes and one chunk.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (reading: BodyReading) => void,
): void {
  const parsed = parsedBody(request);
  if (parsed !== undefined)
    return done(parsed.length > limit ? { kind: 'too-large' } : { kind: 'parsed', body: parsed });
  sendContinue(request);
  // All that came in during one turn of the event loop is answered in one go: a processor that
  // reads one request and answers it, and then the next one, has forgotten by then how it is done.
  // Under load that is a fifth of the time.
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
 * What is there whole, as most bodies are by then, is taken at once: a stream of it would cost more
 * than all that is done with it.
 */
function take({ request, limit, done }: Wanted): void {
  const body = request instanceof ServedRequest ? request.takeWhole() : undefined;
  if (body === undefined) return collect(request, limit, done);
  done(body.length > limit ? { kind: 'too-large' } : { kind: 'read', body });
}

/** Says that the body of a request is not wanted, because there is none. */
export function forgoBody(request: IncomingMessage): void {
  if (request instanceof ServedRequest) request.forgoBody();
}

/**
 * Listeners stay where they are: to take them away would cost each request more than all that they
 * do.
 */
function collect(
  request: IncomingMessage,
  limit: number,
  resolve: (reading: BodyReading) => void,
): void {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let settled = false;
  const settle = (reading: BodyReading): void => {
    settled = true;
    chunks = [];
    resolve(reading);
  };
  const keep = (chunk: Uint8Array): void => {
    // What comes after it was too much is thrown away.
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

const deferred = new WeakMap<IncomingMessage, () => void>();

/**
 * Keeps back the `100 Continue` of a request that expects one, until its body is wanted (RFC 9110,
 * section 10.1.1).
 */
export function deferContinue(request: IncomingMessage, send: () => void): void {
  deferred.set(request, send);
}

/** Sends the `100 Continue` that was kept back; does nothing where there is none. */
function sendContinue(request: IncomingMessage): void {
  const send = deferred.get(request);
  deferred.delete(request);
  send?.();
}

/** A request as body parsers of Express leave it. */
interface ParsedRequest extends IncomingMessage {
  readonly body?: unknown;
  /** The bytes, where the `verify` function of a parser kept them. */
  readonly rawBody?: unknown;
}

const encoder = new TextEncoder();

/**
 * The bytes of a body that middleware, such as `express.json()`, has read to its end; undefined
 * where the body can still be read. What was parsed is written again, in the form that the request
 * names: as a form, or as JSON. Numbers that a double cannot hold are lost by then, unless
 * `rawBody` has the bytes.
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

/** Nested members as parsers of forms read them, `a[b]=1`; a list of texts repeats its name. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map((item) => [name, String(item)]);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      pairsOf(name === '' ? key : `${name}[${key}]`, member),
    );
  return [[name, String(value)]];
}
