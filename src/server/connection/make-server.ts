import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type Https from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { methods } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { isNonHttpRequest, watchRequestLines } from '../../http/target.ts';
import { problemResponse } from '../../http/problem.ts';
import { headerCountLimit, parserHeadLimit } from '../limits.ts';
import type { TlsSettings } from '../tls/tls-settings.ts';
import { type Connections, trackConnections } from './connections.ts';
import { type ParseFault, answerParseFault, closeWith, refuse, replyAndClose } from './refuse.ts';
import { createServer, ServedRequest, ServedResponse } from './served-messages.ts';

// Loaded on demand, because few servers use TLS and loading it takes as long as the rest of a
// start.
const require = createRequire(import.meta.url);

/** Answers requests; an Express application is one. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that does not listen yet, and its connections. */
export interface GuardedServer {
  readonly server: Server;
  readonly connections: Connections;
}

export interface ServerSettings {
  readonly timeouts: Timeouts;
  readonly tls?: TlsSettings | undefined;
}

/**
 * A node:http server (node:https with TLS) that also answers where Node would close the connection
 * or answer by itself: malformed and slow requests, CONNECT, expectations. Ignores `Upgrade`, as a
 * server may that supports no other protocol (RFC 9110, section 7.8).
 */
export function makeServer(listener: Listener, settings: ServerSettings): GuardedServer {
  const { server, closeAll } = openServer(settings);
  // One more than allowed: Node silently drops fields beyond its limit, and the guard must detect
  // the excess.
  server.maxHeadersCount = headerCountLimit + 1;
  server.maxRequestsPerSocket = 0;
  // A client that has half-closed its connection still gets the response. Node's types lack the
  // property.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node's own function, which close() calls, treats a connection as idle while the end of a
  // response is still being sent.
  server.closeIdleConnections = () => undefined;
  const connections = trackConnections(server, {
    event: settings.tls === undefined ? 'connection' : 'secureConnection',
    closeAll,
  });
  answerRequests({ server, isTls: settings.tls !== undefined }, connections, listener);
  answerFaults(server, connections);
  return { server, connections };
}

function openServer({ timeouts, tls }: ServerSettings): {
  readonly server: Server;
  closeAll(): void;
} {
  if (tls === undefined)
    return { server: createServer(serverOptions(timeouts)), closeAll: () => undefined };
  const clients =
    tls.clientCa === undefined
      ? {}
      : { requestCert: true, rejectUnauthorized: false, ca: tls.clientCa };
  const { createServer: createTlsServer } = require('node:https') as typeof Https;
  const server = createTlsServer({
    ...serverOptions(timeouts),
    cert: tls.cert,
    key: tls.key,
    handshakeTimeout: timeouts.headersMs,
    ALPNProtocols: ['http/1.1'],
    ...clients,
  });
  return { server, ...guardHandshake(server, timeouts.headersMs) };
}

function serverOptions({ headersMs, requestMs, checkMs, keepAliveMs }: Timeouts): ServerOptions {
  return {
    IncomingMessage: ServedRequest,
    ServerResponse: ServedResponse as typeof ServerResponse,
    insecureHTTPParser: false,
    // The guard answers a missing Host with a reason.
    requireHostHeader: false,
    maxHeaderSize: parserHeadLimit,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  };
}

function answerRequests(
  { server, isTls }: { readonly server: Server; readonly isTls: boolean },
  connections: Connections,
  listener: Listener,
): void {
  const serve: Listener = (request, response) => {
    if (!connections.begin(request, response)) return;
    if (isNonHttpRequest(request)) void refuse(request, response, strangeProtocol());
    else listener(request, response);
  };
  server.on(isTls ? 'secureConnection' : 'connection', watchRequestLines);
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request, response) => {
    const send = (): void => response.writeContinue();
    if (request instanceof ServedRequest) request.deferContinue(send);
    else send();
    serve(request, response);
  });
}

function strangeProtocol(): HttpResponse {
  return problemResponse(400, 'The request line names another protocol than HTTP/1.1.');
}

function answerFaults(server: Server, connections: Connections): void {
  server.on('clientError', (fault: ParseFault, stream) => {
    void replyAndClose(asSocket(stream), answerParseFault(fault), connections);
  });
  server.on('connect', (_request, stream) => {
    const refusal = problemResponse(405, 'This server is no proxy.', {
      headers: [['Allow', methods.join(', ')]],
    });
    void replyAndClose(asSocket(stream), refusal, connections);
  });
}

function asSocket(stream: Duplex): Socket {
  // Node's type allows any stream; this server gets connections only from its own socket.
  return stream as Socket;
}

/** The timeouts of a server, in milliseconds. */
export interface Timeouts {
  /** From the start of the connection to the complete head of a request. */
  readonly headersMs: number;
  /** To the complete request. */
  readonly requestMs: number;
  /** The interval between two checks of the timeouts. */
  readonly checkMs: number;
  /** To the next request on a connection. */
  readonly keepAliveMs: number;
  /** To the end of exchanges in progress when the server closes. */
  readonly drainMs: number;
}

/** The defaults disconnect slow clients early; they never cut a scripted delay short. */
export const defaultTimeouts: Timeouts = {
  headersMs: 5_000,
  requestMs: 15_000,
  checkMs: 1_000,
  keepAliveMs: 5_000,
  drainMs: 5_000,
};

/** The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const handshake = 0x16;

/**
 * Inspects the first byte of each connection before TLS: a client that sends plain HTTP gets a
 * readable response instead of a broken connection. A client that sends nothing within `patienceMs`
 * is disconnected. `closeAll` closes connections without an exchange.
 */
function guardHandshake(server: Https.Server, patienceMs: number): { closeAll(): void } {
  // Node's own listener starts TLS on a connection.
  const begin = server.listeners('connection');
  const raw = new Map<string, Socket>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    raw.set(name, socket);
    socket.once('close', () => raw.delete(name));
    peek(socket, patienceMs, () => begin.forEach((listener) => void listener.call(server, socket)));
  });
  server.on('secureConnection', (socket) => raw.delete(nameOf(socket)));
  // A failed handshake needs no response. Node would treat it as a malformed request.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_fault, socket) => void socket.destroy());
  return { closeAll: () => raw.forEach((socket) => socket.destroy()) };
}

/** The sockets below and above TLS have the same remote address. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${String(remotePort)}`;
}

function peek(socket: Socket, patienceMs: number, begin: () => void): void {
  const timer = setTimeout(() => socket.destroy(), patienceMs).unref();
  socket.on('error', () => undefined);
  socket.once('close', () => clearTimeout(timer));
  socket.once('readable', () => {
    clearTimeout(timer);
    const chunk: unknown = socket.read();
    if (!(chunk instanceof Uint8Array)) return void socket.destroy();
    if (chunk[0] !== handshake) return closeWith(socket, plainRefused);
    socket.unshift(chunk);
    begin();
  });
}

const plainRefused = problemResponse(
  400,
  'This port speaks HTTPS, and the request came without. Write https:// in its URL.',
);
