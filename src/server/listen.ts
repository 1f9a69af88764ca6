import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { codeOf, VouchError } from '../errors.ts';
import {
  defaultTimeouts,
  type GuardedServer,
  type Listener,
  makeServer,
  type Timeouts,
} from './connection/make-server.ts';
import type { TlsSettings } from './tls/tls-settings.ts';

/** Where to listen, and how long to wait for what. */
export interface ListenOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  /** `127.0.0.1` unless told. */
  readonly host?: string;
  /** How many ports to try, one after the other, where one is taken; 20 unless told. */
  readonly portsToTry?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Speaks TLS where it is given, and nothing else. */
  readonly tls?: TlsSettings;
}

/** A server that answers. */
export interface Listening {
  /** Without a trailing slash: `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  /** The port that was asked for. */
  readonly requestedPort: number;
  /**
   * Takes no more connections, lets exchanges under way end (for 5 s unless told), and closes the
   * rest. Always resolves; a second call waits for the first.
   */
  close(): Promise<void>;
}

/**
 * Puts an application on a port. Throws `port-taken` where none is free, `usage` for a port or
 * address that cannot be had.
 */
export async function listen(app: Listener, options: ListenOptions): Promise<Listening> {
  const { port: requestedPort, host = '127.0.0.1', portsToTry = 20 } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const guarded = makeServer(app, { timeouts, tls: options.tls });
  const port = await bindPort(guarded.server, { port: requestedPort, host, portsToTry });
  // A listening socket can fail later, when the process runs out of file descriptors, say; it must
  // not fall over that.
  guarded.server.on('error', () => undefined);
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(options.tls === undefined ? 'http' : 'https', host, port),
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

/** The URL by which this machine reaches the server, also where it is bound to every address. */
function urlOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${wildcards.get(host) ?? (isIPv6(host) ? `[${host}]` : host)}:${port}`;
}

/** Where a server is to listen. */
interface Wanted {
  /** 0 means any that is free. */
  readonly port: number;
  readonly host: string;
  /** How many ports to try, one after the other. */
  readonly portsToTry: number;
}

/**
 * Makes a server listen on the first free port, and gives that port. Throws `port-taken` where all
 * that were tried are taken, and `usage` where the port is none or the address is not this
 * machine's.
 */
async function bindPort(server: Server, wanted: Wanted): Promise<number> {
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
  throw new VouchError('usage', `${String(port)} is no port.`, {
    hint: 'Give a whole number from 1 to 65535, or 0 for any free port.',
  });
}

/** True where the server listens now, false where the port is taken. */
async function listens(server: Server, port: number, host: string): Promise<boolean> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') return false;
    throw new VouchError('usage', `Cannot listen on ${host}, port ${port}: ${String(code)}.`, {
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
