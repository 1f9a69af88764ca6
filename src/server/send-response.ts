import { connectionFields } from '../http/connection-fields.ts';
import type { ServerResponse } from 'node:http';
import { type HeaderList, headerValue, type HttpResponse } from '../http/message.ts';
import { looksLike } from '../words-in.ts';

/**
 * Header fields about the connection or framing (RFC 9110, section 7.6.1), which the server sets
 * and not the mock.
 */
const ofConnection: ReadonlySet<string> = new Set(connectionFields);

/**
 * Sends a complete response: header fields in order with duplicates, and with a length if there may
 * be a body.
 */
export function sendResponse(response: ServerResponse, message: HttpResponse): void {
  const { method } = response.req;
  response.writeHead(message.status, wireHeaders(method, message));
  const body = wireBody(method, message);
  if (body === undefined || body.length > largestJoined) response.end(body);
  else
    response.end(
      (Buffer.isBuffer(body)
        ? body
        : Buffer.from(body.buffer, body.byteOffset, body.length)
      ).toString('latin1'),
      'latin1',
    );
}

/**
 * Node joins a text body with the head into one write. In Latin-1 each character is one byte, so
 * the bytes are the same.
 */
const largestJoined = 4_096;

/**
 * Sends a complete response and announces that the connection closes; the caller ends the response.
 */
export function sendLastResponse(response: ServerResponse, message: HttpResponse): void {
  response.writeHead(message.status, [
    ...wireHeaders(response.req.method, message),
    'Connection',
    'close',
  ]);
  const body = wireBody(response.req.method, message);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
}

/**
 * Whether Node can send a status as the final one; an informational status is never final (RFC
 * 9110, section 15.2).
 */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 999;
}

/** Sends the head of a response; the caller sends the body. */
export function startResponse(response: ServerResponse, message: HttpResponse): void {
  response.writeHead(message.status, wireHeaders(response.req.method, message));
  response.flushHeaders();
}

/** Alternating names and values, as Node expects them. */
function wireHeaders(method: string | undefined, message: HttpResponse): string[] {
  const flat = flatHeaders(message.headers);
  const length = contentLength(method, message);
  if (length !== undefined) flat.push('Content-Length', length);
  return flat;
}

function flatHeaders(headers: HeaderList): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) if (isSent(name)) flat.push(name, safeValue(value));
  return flat;
}

/** The valid end-to-end header fields of a response. */
export function endToEndHeaders({ headers }: HttpResponse): HeaderList {
  return headers.filter(([name]) => isSent(name)).map(([name, value]) => [name, safeValue(value)]);
}

/** A cache, because a mock sends few names and repeats them. */
const judged = new Map<string, boolean>();
const maxJudged = 1_000;

function isSent(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const sent = isFieldName(name) && !ofConnection.has(name.toLowerCase());
  if (judged.size < maxJudged) judged.set(name, sent);
  return sent;
}

/**
 * RFC 9110, section 8.6: no length with 204, nor with 304 here; for HEAD the length of the response
 * to GET.
 */
export function contentLength(
  method: string | undefined,
  { status, headers, body }: HttpResponse,
): string | undefined {
  if (status === 204 || status === 304) return undefined;
  if (status === 205) return '0';
  return (
    (method === 'HEAD' && body.length === 0 ? announcedLength(headers) : undefined) ??
    String(body.length)
  );
}

function announcedLength(headers: HeaderList): string | undefined {
  const announced = headerValue(headers, 'Content-Length') ?? '';
  return /^[0-9]{1,15}$/.test(announced) ? announced : undefined;
}

/** The body to send; undefined for none (RFC 9110, sections 9.3.2, 15.3.5, 15.3.6 and 15.4.5). */
export function wireBody(
  method: string | undefined,
  { status, body }: HttpResponse,
): Uint8Array | undefined {
  const bodiless = method === 'HEAD' || status === 204 || status === 205 || status === 304;
  return bodiless || body.length === 0 ? undefined : body;
}
// Characters that RFC 9110, section 5.5, forbids in a field value and Node checks: control
// characters except tab.
const control = /[\x00-\x08\x0a-\x1f\x7f]/g;
const beyondLatin = /[^\x00-\xff]/;
/** Visible ASCII with spaces inside: nearly every value, and sent unchanged. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a text is a valid field name (RFC 9110, section 5.1). */
export const isFieldName = looksLike(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/);

/**
 * A value as Node sends it: control characters become spaces, and characters beyond Latin-1 are
 * encoded as UTF-8 (RFC 9110, section 5.5).
 */
export function safeValue(value: string): string {
  if (plain.test(value)) return value;
  const bytes = beyondLatin.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
  return bytes.replaceAll(control, ' ').trim();
}

interface Ready {
  readonly response: ServerResponse;
  readonly message: HttpResponse;
  readonly failed: (fault: unknown) => void;
}

let ready: Ready[] = [];
/** Whether a batch of responses is being collected. */
let isGathering = false;

/**
 * Sends a response at the end of this turn of the event loop, together with all others that are
 * ready by then: under load many requests are read in one turn, and one system call per response
 * costs more than the rest. A large response is sent at once: it gains nothing by waiting, and the
 * next response on its connection must know whether it is sent. If sending fails, the connection is
 * closed and `failed` is called.
 */
export function sendSoon(
  response: ServerResponse,
  message: HttpResponse,
  failed: (fault: unknown) => void,
): void {
  if (message.body.length > largest) return send({ response, message, failed });
  if (ready.length === 0 && !isGathering) setImmediate(sendReady);
  ready.push({ response, message, failed });
}

const largest = 64 * 1024;

/**
 * Runs work that sends responses at the end of a turn, and sends them together without another
 * turn: polling for new input costs as much as a write.
 */
export function sendTogether(work: () => void): void {
  isGathering = true;
  try {
    work();
  } finally {
    isGathering = false;
    sendReady();
  }
}

function sendReady(): void {
  const answers = ready;
  ready = [];
  for (const answer of answers) send(answer);
}

function send({ response, message, failed }: Ready): void {
  try {
    sendResponse(response, message);
  } catch (fault) {
    response.destroy();
    failed(fault);
  }
}
