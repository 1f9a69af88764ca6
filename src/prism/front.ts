import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  headerValue,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
} from '../http/message.ts';
import { problemResponse, statusTitle } from '../http/problem.ts';
import { isNonHttpRequest, watchRequestLines } from '../http/non-http-request.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { listen } from './listen.ts';
import { readTarget } from './read-target.ts';

const maxBodyBytes = 1024 * 1024;
/**
 * A body beyond the limit is read on, and thrown away, up to here: a client that is still writing
 * would miss the answer.
 */
const maxWastedBytes = 16 * maxBodyBytes;
/** Requests that are being read, asked or written at one time. */
const maxRequests = 32;
const maxConnections = 128;

/** Where the front listens, and for how much it stands. */
export interface FrontOptions {
  readonly host: string;
  /** 0 for any; a port that is taken gives way to the next free one. */
  readonly port: number;
  /** `''` or `/v1`: only what is under it is asked. */
  readonly basePath: string;
}

/** Asks Prism; never rejects. */
export type Ask = (request: HttpRequest) => Promise<HttpResponse>;

/** A front that listens. */
export interface Front {
  readonly port: number;
  /** Ends every connection. Always resolves. */
  close(): Promise<void>;
}

/**
 * The server on Prism's port. It runs in the parent, so that a client gets an answer even while the
 * child is frozen, dead or starting, and so that the port is never lost between two children. In
 * return everything in it is bounded: header and body size, connections, requests at one time, and
 * the time of each step. It does no work of its own: it neither parses bodies nor looks at the
 * contract.
 */
export async function openFront({ host, port, basePath }: FrontOptions, ask: Ask): Promise<Front> {
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: 5_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    },
    limitRequests(async (request, response) =>
      send(request, response, await answer(request, { basePath, ask })),
    ),
  );
  server.on('connection', watchRequestLines);
  server.maxConnections = maxConnections;
  server.timeout = 30_000;
  server.on('clientError', refuse);
  const actual = await listen(server, host, port);
  // Such as too many open files when a connection is accepted: the mock must outlive it.
  server.on('error', () => undefined);
  return { port: actual, close: () => closeServer(server) };
}

interface Question {
  readonly basePath: string;
  readonly ask: Ask;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function limitRequests(serve: Serve): (request: IncomingMessage, response: ServerResponse) => void {
  let running = 0;
  return (request, response) => {
    if (running >= maxRequests) return send(request, response, tooMany());
    running += 1;
    response.once('close', () => (running -= 1));
    serve(request, response).catch(() => response.destroy());
  };
}

async function answer(
  request: IncomingMessage,
  { basePath, ask }: Question,
): Promise<HttpResponse> {
  const head = readHead(request);
  if (isNonHttpRequest(request) || !['1.0', '1.1'].includes(request.httpVersion)) {
    return strangeProtocol();
  }
  const preflight = answerPreflight(head);
  if (preflight !== undefined) return preflight;
  const target = readTarget(request.url ?? '/', basePath);
  if (typeof target !== 'string') return target;
  const body = await readBody(request);
  return body === undefined ? tooLarge() : ask({ ...head, target, body });
}

function readHead(request: IncomingMessage): Pick<HttpRequest, 'method' | 'headers'> {
  return { method: request.method ?? 'GET', headers: listHeaders(request.rawHeaders) };
}

function listHeaders(raw: readonly string[]): HeaderList {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
}

/** The whole body, or undefined where it is over the limit. Rejects where the client gives up. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A request without an encoding set arrives in buffers.
  for await (const chunk of request.iterator({
    destroyOnReturn: false,
  }) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    if (size > maxWastedBytes) break;
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

function strangeProtocol(): HttpResponse {
  const detail = 'The request line names another protocol than HTTP/1.1.';
  return problemResponse(400, detail, { headers: [['Connection', 'close']] });
}

function tooMany(): HttpResponse {
  return problemResponse(503, `${maxRequests} requests to Prism are under way.`, {
    headers: [['Retry-After', '1']],
  });
}

function tooLarge(): HttpResponse {
  return problemResponse(413, `The body is over ${maxBodyBytes} bytes.`, {
    headers: [['Connection', 'close']],
  });
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
  const bodiless = status === 204 || status === 304;
  const cors = corsHeaders(readHead(request)).filter(
    ([name]) => headerValue(headers, name) === undefined,
  );
  const all: HeaderList = [
    ...headers,
    ...cors,
    ...(bodiless ? [] : [['content-length', String(body.length)] as const]),
  ];
  response.writeHead(status, all.flat());
  response.end(bodiless ? undefined : body);
}

const refusals: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not HTTP, or does not come in time, and closes. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const status = refusals[error.code ?? ''] ?? 400;
  const { body } = problemResponse(status, error.message);
  const head = [
    `HTTP/1.1 ${status} ${statusTitle(status)}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), () =>
    socket.destroy(),
  );
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
