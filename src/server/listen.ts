import { isIPv6 } from 'node:net';
import { bindPort } from './connection/bind-port.ts';
import { makeServer, type GuardedServer, type Listener } from './connection/make-server.ts';
import { defaultTimeouts, type Timeouts } from './connection/timeouts.ts';
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
