import { writeHead } from './connection/refuse.ts';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HeaderList, HttpResponse } from '../http/message.ts';
import type { NetworkFault } from '../mock/scenarios/scenario.ts';
import { isTlsSocket, markClosing } from './connection/connections.ts';
import { closing, delay, leaving } from './send-stream.ts';
import {
  contentLength,
  endToEndHeaders,
  sendResponse,
  startResponse,
  wireBody,
} from './send-response.ts';

/**
 * Sends a response with a network fault after all previous responses of the connection. Every fault
 * except `dribble` ends the connection: pipelined requests are not answered. Resolves when it is
 * done.
 */
export async function sendFault(
  response: ServerResponse,
  message: HttpResponse,
  fault: NetworkFault,
): Promise<void> {
  const socket = await ownSocket(response);
  if (socket === undefined) return;
  if (fault.kind === 'dribble') return sendSlowly(response, message, fault);
  markClosing(socket);
  if (fault.kind === 'hang') return hang(socket, fault.forMs);
  await write(socket, brokenBytes(response.req.method, message, fault));
  if (fault.kind === 'reset') reset(socket);
  else socket.destroySoon();
}

/** The connection at the turn of this response; undefined if it closes before. */
function ownSocket(response: ServerResponse): Promise<Socket | undefined> {
  const connection = response.req.socket;
  if (connection.destroyed || response.socket !== null)
    return Promise.resolve(response.socket ?? undefined);
  return new Promise((resolve) => {
    response.once('socket', resolve);
    connection.once('close', () => resolve(undefined));
  });
}

async function hang(socket: Socket, forMs: number): Promise<void> {
  await delay(forMs, leaving(socket));
  socket.destroy();
}

/** Resolves when all bytes are passed to the operating system, or can no longer be sent. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => void socket.write(bytes, () => resolve()));
}

function reset(socket: Socket): void {
  // Only the socket below TLS can be reset. Node stores it in an undeclared property.
  const under = isTlsSocket(socket)
    ? (socket as TLSSocket & { readonly _parent?: Socket })._parent
    : undefined;
  (under ?? socket).resetAndDestroy();
}

/** The bytes before the connection ends. */
function brokenBytes(
  method: string | undefined,
  message: HttpResponse,
  fault: Exclude<NetworkFault, { kind: 'dribble' | 'hang' }>,
): Uint8Array {
  if (fault.kind === 'empty' || (fault.kind === 'reset' && fault.after === undefined))
    return Buffer.alloc(0);
  if (fault.kind === 'garbage')
    return Buffer.from('\x16\x03\x01 this is no HTTP \x00\xff\r\n\r\n', 'latin1');
  const body = wireBody(method, message);
  const length = Number(contentLength(method, message) ?? 0);
  const head = (framing: HeaderList[number]): Uint8Array =>
    writeHead(message.status, endToEndHeaders(message), [framing]);
  const sized = (size: number): Uint8Array => head(['Content-Length', String(size)]);
  if (fault.kind === 'wrong-length')
    return Buffer.concat([sized(wrongLength(length, fault.by)), body ?? Buffer.alloc(0)]);
  // Without a body, the head is cut.
  if (body === undefined) return cut(sized(length), undefined);
  if (fault.kind === 'truncated' || fault.kind === 'reset')
    return Buffer.concat([sized(length), cut(body, fault.after)]);
  return Buffer.concat([head(['Transfer-Encoding', 'chunked']), brokenChunks(body, fault)]);
}

function wrongLength(length: number, by: number): number {
  return length + by < 0 ? length + Math.abs(by) : length + by;
}

/** The given number of bytes, or half of them; never all. */
function cut(bytes: Uint8Array, after: number | undefined): Uint8Array {
  return bytes.subarray(0, Math.min(after ?? Math.floor(bytes.length / 2), bytes.length - 1));
}

/** A valid chunk, and then the end, or an invalid size (RFC 9112, section 7.1). */
function brokenChunks(
  body: Uint8Array,
  { kind, after }: { readonly kind: string; readonly after?: number },
): Uint8Array {
  const part = cut(body, after);
  const first =
    part.length === 0
      ? []
      : [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')];
  return Buffer.concat(
    kind === 'malformed-chunk'
      ? [...first, Buffer.from('no-size\r\n'), body.subarray(part.length), Buffer.from('\r\n')]
      : first,
  );
}

/** The maximum duration of a body in milliseconds; a longer one is sent in larger pieces. */
const longestMs = 600_000;

/**
 * Sends a response whose body is sent in pieces. Resolves after the last piece, or when the client
 * disconnects.
 */
async function sendSlowly(
  response: ServerResponse,
  message: HttpResponse,
  { bytes, everyMs }: { readonly bytes: number; readonly everyMs: number },
): Promise<void> {
  const body = wireBody(response.req.method, message);
  if (body === undefined) return sendResponse(response, message);
  const size = Math.max(bytes, Math.ceil((body.length * everyMs) / longestMs));
  const gone = closing(response);
  startResponse(response, message);
  for (let offset = 0; offset < body.length; offset += size) {
    response.write(body.subarray(offset, offset + size));
    if (offset + size < body.length && !(await delay(everyMs, gone))) return;
  }
  response.end();
}
