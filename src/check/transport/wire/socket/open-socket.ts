import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { guardLookup, type FindAddresses } from './guard-lookup.ts';
import type { ConnectionStage } from './network-fault.ts';
import { openTunnel } from './open-tunnel.ts';
import type { ProxyAddress } from './proxy-address.ts';

/** Where a socket leads, and how. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly proxy: ProxyAddress | undefined;
  readonly findAddresses: FindAddresses;
}

/** What is told of a socket while it is made. `ready` once; after `failed`, nothing more. */
export interface SocketEvents {
  ready(socket: Socket): void;
  failed(error: unknown, stage: ConnectionStage): void;
}

/** Bytes read at once. */
const bufferBytes = 64 * 1024;

/** What takes in the bytes of a plain socket; one buffer serves all its reads. */
export type OnBytes = (bytes: Buffer) => void;

/**
 * Opens a socket to where requests go: straight, or through a proxy, with TLS where the URL says
 * https. TLS is verified by Node's own rules (its roots, NODE_EXTRA_CA_CERTS). Answers what ends
 * the attempt early.
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
    ...(onBytes === undefined
      ? {}
      : {
          onread: {
            buffer: Buffer.allocUnsafeSlow(bufferBytes),
            callback: (count: number, buffer: Uint8Array) => take(buffer, count, onBytes),
          },
        }),
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

  /**
   * `node:tls` takes longer to load than all of this, and most targets of a run on one machine do
   * without.
   */
  async secure(plain: Socket, { host }: Route, onBytes: OnBytes): Promise<void> {
    const { connect } = await import('node:tls');
    if (this.#over) return;
    plain.removeAllListeners('close');
    const socket = connect({
      socket: plain,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : { host }),
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
