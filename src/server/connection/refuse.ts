import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderList, HttpResponse } from '../../http/message.ts';
import { problemResponse, statusTitle } from '../../http/problem.ts';
import { headerBlockLimit, lingerMs, targetLimit } from '../limits.ts';
import { sendLastResponse } from '../send-response.ts';
import { type Connections, isClosing, markClosing } from './connections.ts';

/**
 * Answers a refused request and closes its connection, because its further input cannot be trusted.
 * First discards input for a short time: closing with unread bytes resets the connection, and the
 * reset can overtake the response (RFC 9112, section 9.6).
 */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: HttpResponse,
): Promise<void> {
  markClosing(request.socket);
  sendLastResponse(response, refusal);
  await discardRest(request);
  response.end();
}

function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lingerMs).unref();
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', finish).once('close', finish).once('error', finish).resume();
  });
}

/**
 * Answers a connection without a response object of Node after all previous requests, and closes
 * it. Never throws. Does nothing if the connection is already closing.
 */
export async function replyAndClose(
  socket: Socket,
  reply: HttpResponse,
  connections: Connections,
): Promise<void> {
  if (isClosing(socket) || !connections.giveUp(socket)) return;
  // Node removes its own listener for CONNECT, and an error without a listener would end the
  // process.
  socket.on('error', () => undefined);
  await connections.answered(socket);
  // The last of those responses may have closed the connection, or may still be in flight.
  if (socket.writable) closeWith(socket, reply);
}

/** Sends the last response; discards input for a short time, so that no reset overtakes it. */
export function closeWith(socket: Socket, reply: HttpResponse): void {
  socket.end(serializeLast(reply));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** An HTTP/1.1 message with its length and `Connection: close` (RFC 9112, section 9.6). */
function serializeLast({ status, headers, body }: HttpResponse): Uint8Array {
  const last: HeaderList = [
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ];
  return Buffer.concat([writeHead(status, headers, last), body]);
}

/** The head of an HTTP/1.1 message, with its date between its own fields and the last ones. */
export function writeHead(status: number, headers: HeaderList, last: HeaderList): Uint8Array {
  const fields = [...headers, ['Date', new Date().toUTCString()], ...last];
  const lines = [
    `HTTP/1.1 ${status} ${statusTitle(status)}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * Node's error for a connection without a valid request: code and reason of llhttp, and the packet
 * in which it stopped.
 */
export interface ParseFault {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly bytesParsed?: number | undefined;
  readonly rawPacket?: Uint8Array | undefined;
}

type FaultAnswer = (fault: ParseFault) => HttpResponse;

/** The responses by error code; every other code gets 400. */
const answers: ReadonlyMap<string, FaultAnswer> = new Map<string, FaultAnswer>([
  ['ERR_HTTP_REQUEST_TIMEOUT', () => problemResponse(408, 'The request took too long to arrive.')],
  ['HPE_HEADER_OVERFLOW', overflow],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    () => problemResponse(413, 'The chunk extensions are too long.'),
  ],
  ['HPE_INVALID_METHOD', strangeMethod],
  ['HPE_INVALID_TRANSFER_ENCODING', strangeCoding],
]);

/** The response to a connection without a well-formed request. Pure; never throws. */
export function answerParseFault(fault: ParseFault): HttpResponse {
  return answers.get(fault.code ?? '')?.(fault) ?? malformed(fault);
}

function malformed({ reason }: ParseFault): HttpResponse {
  return problemResponse(
    400,
    `This is no well-formed HTTP/1.1 request${reason ? `: ${reason}` : ''}.`,
  );
}

function overflow(fault: ParseFault): HttpResponse {
  const [, target = ''] = /^[A-Z-]+ (\S*)/.exec(textOf(fault)) ?? [];
  if (target.length > targetLimit)
    return problemResponse(414, `The request target has more than ${targetLimit} bytes.`);
  return problemResponse(
    431,
    `The header fields have more than ${headerBlockLimit} bytes together.`,
  );
}

/** An unknown method in an otherwise valid request line (RFC 9110, section 15.6.2). */
function strangeMethod(fault: ParseFault): HttpResponse {
  const before = textOf(fault).slice(0, fault.bytesParsed ?? 0);
  const line = textOf(fault).slice(before.lastIndexOf('\n') + 1);
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?: |$)/.test(line)
    ? problemResponse(501, 'No operation can have this method.')
    : malformed(fault);
}

/**
 * llhttp reports an unknown last coding like this; any other error in the header makes the request
 * malformed (RFC 9112, section 6.1).
 */
function strangeCoding(fault: ParseFault): HttpResponse {
  if (!fault.reason?.startsWith('Request has invalid')) return malformed(fault);
  return problemResponse(501, 'The only transfer coding that is understood is chunked.');
}

function textOf({ rawPacket }: ParseFault): string {
  return rawPacket === undefined ? '' : Buffer.from(rawPacket).toString('latin1');
}
