import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { VouchError } from '../../../../errors.ts';
import { hostOf, isMetadataHost } from '../../../../http/host.ts';
import { Breaches, type ResponseFault } from '../answer/breaches.ts';
import { HeadReader } from '../answer/read-head.ts';

/** The target of a socket, and the way to it. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly proxy: ProxyAddress | undefined;
  readonly findAddresses: FindAddresses;
  /** How TLS is verified. Default: by Node (its roots, NODE_EXTRA_CA_CERTS). */
  readonly trust?: TlsTrust;
}

/** `ca`: the certificates to trust in place of Node's, as PEM. `insecure`: none is verified. */
export interface TlsTrust {
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
}

/** The events of a socket while it is opened. `ready` occurs once; after `failed`, nothing more. */
export interface SocketEvents {
  ready(socket: Socket): void;
  failed(error: unknown, stage: ConnectionStage): void;
}

/** Bytes read at once. */
const bufferBytes = 64 * 1024;

/** Receives the bytes of a plain socket; one buffer serves all its reads. */
export type OnBytes = (bytes: Buffer) => void;

/**
 * Opens a socket: directly, or through a proxy, with TLS if the URL is https. Node verifies TLS
 * (its roots, NODE_EXTRA_CA_CERTS). Returns a function that cancels the attempt.
 */
export function openSocket(route: Route, events: SocketEvents, onBytes: OnBytes): () => void {
  const { proxy, secure } = route;
  const attempt = new SocketAttempt(events);
  const first = callFirst(route, secure || proxy !== undefined ? undefined : onBytes);
  attempt.watch(first, proxy === undefined ? 'calling' : 'proxy');
  first.once('connect', () => {
    if (proxy !== undefined && secure) {
      openTunnel(first, route, proxy, (problem) =>
        problem === undefined ? void attempt.secure(first, route, onBytes) : attempt.fail(problem),
      );
    } else if (secure) void attempt.secure(first, route, onBytes);
    else attempt.succeed(first, proxy === undefined ? undefined : onBytes);
  });
  return () => attempt.cancel();
}

function callFirst(
  { host, port, proxy, findAddresses }: Route,
  onBytes: OnBytes | undefined,
): Socket {
  return connectPlain({
    host: proxy?.host ?? host,
    port: proxy?.port ?? port,
    noDelay: true,
    lookup: guardLookup(findAddresses),
    onread: onBytes && {
      buffer: Buffer.allocUnsafeSlow(bufferBytes),
      callback: (count: number, buffer: Uint8Array) => take(buffer, count, onBytes),
    },
  });
}

function take(buffer: Uint8Array, count: number, onBytes: OnBytes): boolean {
  onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, count));
  return true;
}

/** One attempt: it succeeds, fails or is cancelled, once. */
class SocketAttempt {
  #stage: ConnectionStage = 'calling';
  #over = false;
  #socket: Socket | undefined;
  readonly #events: SocketEvents;

  constructor(events: SocketEvents) {
    this.#events = events;
  }

  watch(socket: Socket, stage: ConnectionStage): void {
    this.#socket = socket;
    this.#stage = stage;
    socket.on('error', (error) => this.fail(error));
    socket.once('close', () =>
      this.fail(
        new Error(
          stage === 'proxy' ? 'the proxy closed the connection' : 'the connection was closed',
        ),
      ),
    );
  }

  /** `node:tls` takes longer to load than all of this, and most local targets do not need it. */
  async secure(plain: Socket, { host, trust = {} }: Route, onBytes: OnBytes): Promise<void> {
    const { connect } = await import('node:tls');
    if (this.#over) return;
    plain.removeAllListeners('close');
    const socket = connect({
      socket: plain,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ca: trust.ca,
      ...(trust.insecure === true ? { rejectUnauthorized: false } : {}),
    });
    this.watch(socket, 'securing');
    socket.once('secureConnect', () => this.succeed(socket, onBytes));
  }

  succeed(socket: Socket, onBytes: OnBytes | undefined): void {
    if (this.#over) return;
    this.#over = true;
    socket.removeAllListeners('close');
    if (onBytes !== undefined) socket.on('data', onBytes);
    this.#events.ready(socket);
  }

  fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#socket?.destroy();
    this.#events.failed(error, this.#stage);
  }

  cancel(): void {
    this.#over = true;
    this.#socket?.destroy();
  }
}

/**
 * Requests a tunnel to a host from a proxy (RFC 9110, section 9.3.6). `done` is called once:
 * without an argument if it is open, otherwise with the error.
 */
function openTunnel(
  socket: Socket,
  { host, port }: { readonly host: string; readonly port: number },
  { authorization }: ProxyAddress,
  done: (problem: Error | undefined) => void,
): void {
  const reader = new HeadReader(new Breaches());
  const authority = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const onData = (bytes: Buffer): void => {
    const found = reader.push(bytes, 0);
    if (found.kind === 'more') return;
    socket.off('data', onData);
    socket.pause();
    if (found.kind === 'broken') done(new Error('the proxy does not use HTTP'));
    else if (found.head.status >= 200 && found.head.status < 300) done(undefined);
    else done(new Error(`the proxy answered ${String(found.head.status)} to CONNECT ${authority}`));
  };
  socket.on('data', onData);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
}

/** An HTTP proxy. */
export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
  /** The `Proxy-Authorization` field with its CRLF; empty if the URL has no user. */
  readonly authorization: string;
}

/**
 * Parses `http://user:password@proxy.example:3128`; undefined if it is not the URL of an HTTP
 * proxy.
 */
export function readProxyAddress(text: string): ProxyAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' || url.hostname === '') return undefined;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization =
    pair === ':' ? '' : `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
  return { host: hostOf(url), port: url.port === '' ? 80 : Number(url.port), authorization };
}

/**
 * The fault of a response by the proxy itself: for requests that it forwards in plain text, 407 is
 * its own response (RFC 9110, section 15.5.8).
 */
export function refusedByProxy(
  { proxy, secure }: Route,
  status: number,
): ResponseFault | undefined {
  return proxy === undefined || secure || status !== 407
    ? undefined
    : { kind: 'proxy.failed', message: 'the proxy requires a credential (407).' };
}

/** Every address of a name; rejects as `dns.lookup` does. */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

/** Throws for a forbidden address: link-local, or a metadata service of a cloud. */
export function refuseMetadata(host: string, address = host): void {
  if (!isMetadataHost(address)) return;
  const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
  throw new VouchError(
    'refused-for-safety',
    `${leads} a link-local or metadata address, at which clouds give away credentials.`,
    {
      hint:
        'Nothing was sent there. Give the deployment’s own address, or look at ' +
        'what its name resolves to.',
    },
  );
}

/**
 * Looks up a name for a connection, and refuses it if one of its addresses is forbidden. The
 * connection uses exactly these addresses, so the name cannot lead elsewhere a moment later (DNS
 * rebinding).
 */
export function guardLookup(findAddresses: FindAddresses): LookupFunction {
  return (host, { all, family }, callback) => {
    const answer = async (): Promise<void> => {
      const addresses = await findAddresses(host);
      for (const { address } of addresses) refuseMetadata(host, address);
      const fitting =
        family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
      const [first] = fitting;
      if (first === undefined)
        throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
      if (all === true) callback(null, [...fitting]);
      else callback(null, first.address, first.family);
    };
    // By its type, an error of a lookup is a NodeJS.ErrnoException; the socket passes any error on.
    answer().catch((error: unknown) => callback(error as NodeJS.ErrnoException, ''));
  };
}

/** Uses the system's resolver, as every other program does. */
export function findSystemAddresses(host: string): Promise<readonly LookupAddress[]> {
  return lookUp(host, { all: true });
}

/**
 * The stage of a connection: name lookup and connecting, the proxy, the TLS handshake, or ready.
 */
export type ConnectionStage = 'calling' | 'proxy' | 'securing' | 'ready';

const unknownName = new Set(
  'ENOTFOUND EAI_AGAIN EAI_NODATA EAI_NONAME EAI_FAIL ESERVFAIL ENODATA EREFUSED'.split(' '),
);

/**
 * Why there is no connection: four causes that do not concern any operation (dns, connection,
 * proxy, tls).
 */
export function connectFault(error: unknown, stage: ConnectionStage): ResponseFault {
  const code = innermostCode(error);
  switch (stage) {
    case 'proxy':
      return {
        kind: 'proxy.failed',
        message: error instanceof Error ? `${error.message}.` : 'the proxy gave no connection.',
      };
    case 'securing':
      return {
        kind: 'tls.failed',
        message: `the TLS handshake failed (${code === '' ? 'the server broke it off' : code}).`,
      };
    default:
      if (unknownName.has(code))
        return { kind: 'dns.failed', message: `the name of the host is not known (${code}).` };
      if (code === 'ETIMEDOUT')
        return { kind: 'timeout', message: 'the connection could not be made in time.' };
      return {
        kind: 'connection.refused',
        message:
          code === 'ECONNREFUSED' ? 'connection refused.' : `no route to the host (${code}).`,
      };
  }
}

/**
 * The code of an error, or of the first nested one: a refused `localhost` is one error for each of
 * its addresses.
 */
function innermostCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return innermostCode(error.errors[0]);
  return 'cause' in error ? innermostCode(error.cause) : '';
}
