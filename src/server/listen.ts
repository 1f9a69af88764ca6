import { once } from 'node:events';
import { isIPv6, type Server } from 'node:net';
import { codeOf, usage, VouchError } from '../errors.ts';
import type { GuardedServer, Listener, Timeouts } from './connection/make-server.ts';
import { defaultTimeouts, makeServer } from './connection/make-server.ts';
import type { TlsSettings } from './tls/tls-settings.ts';

/** The address and the timeouts of a server. */
export interface ListenOptions {
  /** 0 picks any free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The number of consecutive ports to try. Default 20. */
  readonly portsToTry?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Serves only TLS if given. */
  readonly tls?: TlsSettings | undefined;
}

export interface Listening {
  /** Without a trailing slash: `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  /** The requested port; differs from `port` if it was taken. */
  readonly requestedPort: number;
  /**
   * Stops accepting connections, waits for exchanges in progress (default 5 s), and closes the
   * rest. Always resolves; a second call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * Serves an application on a port. Throws `port-taken` if none is free, `usage` for an invalid port
 * or address.
 */
export async function listen(app: Listener, options: ListenOptions): Promise<Listening> {
  const { port: requestedPort, host = '127.0.0.1', portsToTry = 20 } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const guarded = makeServer(app, { timeouts, tls: options.tls });
  const port = await bindPort(guarded.server, { port: requestedPort, host, portsToTry });
  // A listening socket can fail later, for example without file descriptors; the process must
  // continue.
  guarded.server.on('error', () => undefined);
  let closed: Promise<void> | undefined;
  return {
    url: listeningUrl(options.tls === undefined ? 'http' : 'https', host, port),
    port,
    requestedPort,
    close: () => (closed ??= closeServer(guarded, timeouts.drainMs)),
  };
}

async function closeServer({ server, connections }: GuardedServer, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.drain();
  const timer = setTimeout(() => connections.destroy(), drainMs);
  await closed;
  clearTimeout(timer);
}

const wildcards: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['', 'localhost'],
]);

/** The URL of the server on this machine, also if it is bound to every address. */
export function listeningUrl(scheme: string, host: string, port: number): string {
  return `${scheme}://${wildcards.get(host) ?? (isIPv6(host) ? `[${host}]` : host)}:${port}`;
}

/** The address to listen on. */
interface WantedPort {
  /** 0 picks any free port. */
  readonly port: number;
  readonly host: string;
  /** The number of consecutive ports to try. */
  readonly portsToTry: number;
}

/**
 * Listens on the first free port, and returns it. Throws `port-taken` if all tried ports are taken,
 * and `usage` if the port is invalid or the address is not of this machine.
 */
export async function bindPort(server: Server, wanted: WantedPort): Promise<number> {
  checkPort(wanted.port);
  const last =
    wanted.port === 0 ? 0 : Math.min(65_535, wanted.port + Math.max(1, wanted.portsToTry) - 1);
  for (let port = wanted.port; port <= last; port += 1) {
    if (await listens(server, port, wanted.host)) return portOf(server);
  }
  throw portTaken(wanted.port, last);
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw usage(`${String(port)} is no port.`, {
    hint: 'Give a whole number from 1 to 65535, or 0 for any free port.',
  });
}

/** Returns true if the server listens, false if the port is taken. */
async function listens(server: Server, port: number, host: string): Promise<boolean> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') return false;
    throw usage(`Cannot listen on ${host}, port ${port}: ${String(code)}.`, {
      hint: hintFor(code),
      cause: error,
    });
  }
}

function hintFor(code: unknown): string {
  if (code === 'EACCES')
    return 'Ports below 1024 need rights that others do not: take a higher one.';
  return 'Use an address of this machine, such as 127.0.0.1.';
}

function portOf(server: Server): number {
  const address = server.address();
  if (address !== null && typeof address === 'object') return address.port;
  throw new VouchError('internal', 'The server listens, but on no port.');
}

function portTaken(first: number, last: number): VouchError {
  const tried =
    first === last ? `Port ${first} is taken` : `Every port from ${first} to ${last} is taken`;
  return new VouchError('port-taken', `${tried}.`, {
    hint: 'Stop what runs there, or take another port; 0 takes any that is free.',
  });
}
