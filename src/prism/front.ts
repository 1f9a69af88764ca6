import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { VouchError } from '../errors.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { emptyBody, headerValue, inPairs } from '../http/message.ts';
import { isNonHttpRequest, watchRequestLines } from '../http/target.ts';
import { problemResponse, statusTitle } from '../http/problem.ts';

const maxBodyBytes = 1024 * 1024;
/**
 * A body beyond the limit is read and discarded up to this size, because a client that is still
 * writing would miss the response.
 */
const maxWastedBytes = 16 * maxBodyBytes;
/** The maximum number of concurrent requests. */
const maxRequests = 32;
const maxConnections = 128;

export interface FrontOptions {
  readonly host: string;
  /** The port; 0 for any. If it is taken, the next free one is used. */
  readonly port: number;
  /** `''` or `/v1`: only requests below it are forwarded. */
  readonly basePath: string;
}

/** Forwards a request to Prism; never rejects. */
export type Ask = (request: HttpRequest) => Promise<HttpResponse>;

export interface Front {
  readonly port: number;
  /** Closes every connection. Always resolves. */
  close(): Promise<void>;
}

/**
 * The server on Prism's port. It runs in the parent, so that clients get a response while the child
 * is frozen, dead or starting, and so that the port stays open between two children. Everything in
 * it is bounded: header and body size, connections, concurrent requests, and the time of each step.
 * It neither parses bodies nor reads the contract.
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
      send(request, response, await answer(request, basePath, ask)),
    ),
  );
  server.on('connection', watchRequestLines);
  server.maxConnections = maxConnections;
  server.timeout = 30_000;
  server.on('clientError', refuse);
  const actual = await listen(server, host, port);
  // Errors such as too many open files must not end the mock.
  server.on('error', () => undefined);
  return { port: actual, close: () => closeServer(server) };
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

async function answer(request: IncomingMessage, basePath: string, ask: Ask): Promise<HttpResponse> {
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
  return { method: request.method ?? 'GET', headers: inPairs(request.rawHeaders) };
}

/** Reads the whole body; undefined if it exceeds the limit. Rejects if the client aborts. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Without an encoding, the chunks are buffers.
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

/** Answers a request that is not HTTP or is too slow, and closes the connection. */
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

/** The parts of a request that CORS depends on. */
type Head = Pick<HttpRequest, 'method' | 'headers'>;

/** Allows pages of any origin to read responses, as `prism mock` does: its data is generated. */
function corsHeaders({ headers }: Head): HeaderList {
  const origin = headerValue(headers, 'origin');
  if (origin === undefined) return [['access-control-allow-origin', '*']];
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-headers', headerValue(headers, 'access-control-request-headers') ?? '*'],
    ['access-control-expose-headers', '*'],
    ['vary', 'origin'],
  ];
}

/** The response to a CORS preflight; undefined for any other request (Fetch, section 3.3.2). */
function answerPreflight({ method, headers }: Head): HttpResponse | undefined {
  const wanted = headerValue(headers, 'access-control-request-method');
  if (method !== 'OPTIONS' || wanted === undefined || headerValue(headers, 'origin') === undefined)
    return undefined;
  return { status: 204, headers: [['access-control-allow-methods', wanted]], body: emptyBody };
}

/** The number of further ports to try. */
const furtherPorts = 50;

/**
 * Listens on the given port or the next free one; on any port for 0. Resolves to the port; rejects
 * with `port-taken` if none is free, and with `prism-failed` if the host is invalid.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const last = port === 0 ? 0 : Math.min(port + furtherPorts, 65_535);
  for (let candidate = port; candidate <= last; candidate += 1) {
    const failure = await tryPort(server, host, candidate);
    // Only a server on a pipe has no port.
    if (failure === undefined) return (server.address() as AddressInfo).port;
    if (failure.code !== 'EADDRINUSE') {
      throw new VouchError(
        'prism-failed',
        `Prism cannot listen on ${host}, port ${candidate}: ${failure.message}.`,
        { hint: 'Choose another host or port.', cause: failure },
      );
    }
  }
  throw new VouchError('port-taken', `The ports ${port} to ${last} of ${host} are all taken.`, {
    hint: 'Choose another port for Prism, or 0 for any.',
  });
}

function tryPort(
  server: Server,
  host: string,
  port: number,
): Promise<NodeJS.ErrnoException | undefined> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  const listening = (): void => settle(undefined);
  const settle = (failure: NodeJS.ErrnoException | undefined): void => {
    server.off('error', settle);
    server.off('listening', listening);
    resolve(failure);
  };
  server.once('error', settle);
  server.once('listening', listening);
  server.listen({ host, port, exclusive: true });
  return promise;
}

/** Normalizes a base path to `''` or `/v1`, from `/v1/`, `v1` or `/`. */
export function normalizeBasePath(basePath: string): string {
  const steps = basePath.split('/').filter((step) => step !== '');
  return steps.map((step) => `/${step}`).join('');
}

/**
 * The path and query for Prism, without the base path, which Prism does not support. Returns a
 * problem of status 404 outside the base path, and of status 400 for an invalid target. Accepts
 * origin-form and absolute-form (RFC 9112, section 3.2).
 */
export function readTarget(target: string, basePath: string): string | HttpResponse {
  const url = URL.parse(target.startsWith('/') ? `http://prism.invalid${target}` : target);
  if (url === null) return problemResponse(400, `"${target}" is neither a path nor a URL.`);
  const { pathname, search } = url;
  // Prism decodes each segment and does not catch the error of an invalid one.
  if (!isDecodable(pathname)) {
    return problemResponse(
      400,
      `"${pathname}" holds a % that does not begin a byte of UTF-8, such as %C3%A9.`,
    );
  }
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) {
    return problemResponse(404, `Prism answers under ${basePath}/ here; "${pathname}" is outside.`);
  }
  return (pathname.slice(basePath.length) || '/') + search;
}

function isDecodable(text: string): boolean {
  try {
    // A bundler takes a call whose result is not used for one without effect.
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}
