import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../../http/message.ts';
import { problemResponse, statusTitle } from '../../http/problem.ts';
import { headerBlockLimit, lingerMs, targetLimit } from '../limits.ts';
import { sendLastResponse } from '../send-response.ts';
import { type Connections, isClosing, markClosing } from './connections.ts';

/**
 * Answers a request that is not let in, and closes its connection: what follows on it is not to be
 * trusted. What the client is still sending is thrown away for a moment first, because a connection
 * that closes on unread bytes is reset, and a reset can overtake the answer (RFC 9112, section
 * 9.6).
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
 * Answers a connection for which Node made no response, once the requests before are answered, and
 * closes it. Never throws. A connection that is being closed already is left alone.
 */
export async function replyAndClose(
  socket: Socket,
  reply: HttpResponse,
  connections: Connections,
): Promise<void> {
  if (isClosing(socket) || !connections.giveUp(socket)) return;
  // For CONNECT, Node takes its own listener away, and an error without a listener would end the
  // process.
  socket.on('error', () => undefined);
  await connections.answered(socket);
  // The last of those answers may have closed the connection, and may still be on its way.
  if (!socket.writable) return;
  socket.end(serializeLast(reply));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** An HTTP/1.1 message with its length, and `Connection: close` (RFC 9112, section 9.6). */
export function serializeLast({ status, headers, body }: HttpResponse): Uint8Array {
  const fields = [
    ...headers,
    ['Date', new Date().toUTCString()],
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ];
  const lines = [
    `HTTP/1.1 ${status} ${statusTitle(status)}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * What Node tells of a connection on which it found no request: llhttp's code and reason, and the
 * packet it stopped in.
 */
export interface ParseFault {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly bytesParsed?: number | undefined;
  readonly rawPacket?: Uint8Array | undefined;
}

type FaultAnswer = (fault: ParseFault) => HttpResponse;

/** The faults that are told apart, by code; every other one is a 400. */
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

/** The answer to a connection that brought no well-formed request. Pure; never throws. */
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

/**
 * A method that nobody knows, where the line starts as a request does (RFC 9110, section 15.6.2).
 */
function strangeMethod(fault: ParseFault): HttpResponse {
  const before = textOf(fault).slice(0, fault.bytesParsed ?? 0);
  const line = textOf(fault).slice(before.lastIndexOf('\n') + 1);
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?: |$)/.test(line)
    ? problemResponse(501, 'No operation can have this method.')
    : malformed(fault);
}

/**
 * llhttp reports an unknown last coding like this; any other fault of the header makes the request
 * malformed (RFC 9112, section 6.1).
 */
function strangeCoding(fault: ParseFault): HttpResponse {
  if (!fault.reason?.startsWith('Request has invalid')) return malformed(fault);
  return problemResponse(501, 'The only transfer coding that is understood is chunked.');
}

function textOf({ rawPacket }: ParseFault): string {
  return rawPacket === undefined ? '' : Buffer.from(rawPacket).toString('latin1');
}
