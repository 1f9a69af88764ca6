import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type Https from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { methods } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { isNonHttpRequest, watchRequestLines } from '../../http/non-http-request.ts';
import { problemResponse } from '../../http/problem.ts';
import { headerCountLimit, parserHeadLimit } from '../limits.ts';
import { guardHandshake } from '../tls/guard-handshake.ts';
import type { TlsSettings } from '../tls/tls-settings.ts';
import { type Connections, trackConnections } from './connections.ts';
import { deferContinue } from './read-body.ts';
import { answerParseFault, type ParseFault, refuse, replyAndClose } from './refuse.ts';
import { createServer, ServedRequest, ServedResponse } from './served-messages.ts';

// Few servers speak TLS, and reading it takes as long as the rest of a start.
const require = createRequire(import.meta.url);

/** What answers requests: an Express application is one. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that is not listening yet, and its connections. */
export interface GuardedServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** How a server waits, and whether it speaks TLS. */
export interface ServerSettings {
  readonly timeouts: Timeouts;
  readonly tls?: TlsSettings | undefined;
}

/**
 * A node:http server (node:https with TLS) that answers, self-delimiting, also where Node would
 * hang up or answer by itself: malformed and slow requests, CONNECT, expectations. `Upgrade` is
 * ignored, as a server may that knows no other protocol (RFC 9110, section 7.8).
 */
export function makeServer(listener: Listener, settings: ServerSettings): GuardedServer {
  const { server, closeAll } = begin(settings);
  // One more than allowed: Node drops what is beyond its count without a word, and the guard must
  // see that there is too much.
  server.maxHeadersCount = headerCountLimit + 1;
  server.maxRequestsPerSocket = 0;
  // A client that has sent all it wants to send, and said so, still waits for the answer. Node's
  // types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node's own, which its close() calls, takes a connection for idle while the end of an answer is
  // still on its way.
  server.closeIdleConnections = () => undefined;
  const connections = trackConnections(server, {
    event: settings.tls === undefined ? 'connection' : 'secureConnection',
    closeAll,
  });
  answerRequests({ server, isTls: settings.tls !== undefined }, connections, listener);
  answerFaults(server, connections);
  return { server, connections };
}

function begin({ timeouts, tls }: ServerSettings): { readonly server: Server; closeAll(): void } {
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
    // The guard answers a missing Host, with a reason.
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
    deferContinue(request, () => response.writeContinue());
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
  // Node types it as any stream, for servers that are fed with others; this one is fed by its own
  // listening socket.
  return stream as Socket;
}

/** How long a server waits, in milliseconds. */
export interface Timeouts {
  /** For the whole head of a request, from the connection's first moment. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** Between two looks at which connections are late. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For exchanges under way when the server closes. */
  readonly drainMs: number;
}

/**
 * A slow client is let go before it can hold a place for long; a scripted delay is never cut short
 * by these.
 */
export const defaultTimeouts: Timeouts = {
  headersMs: 5_000,
  requestMs: 15_000,
  checkMs: 1_000,
  keepAliveMs: 5_000,
  drainMs: 5_000,
};
