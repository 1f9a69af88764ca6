import type { Socket } from 'node:net';
import type { ResponseFault } from '../check/transport/wire/answer/breaches.ts';
import type { Route } from '../check/transport/wire/socket/open-socket.ts';
import { connectFault, openSocket } from '../check/transport/wire/socket/open-socket.ts';

/** What a connection to the service reports. */
interface UpstreamEvents {
  bytes(bytes: Buffer): void;
  drained(): void;
  /** No connection could be made; nothing more follows. */
  failed(fault: ResponseFault): void;
  /** It is closed, by the service or by an error; nothing more follows. */
  ended(isReset: boolean): void;
}

/** A connection to the service. Bytes wait until it is open. */
export class Upstream {
  readonly #events: UpstreamEvents;
  readonly #cancel: () => void;
  #socket: Socket | undefined;
  readonly #early: Buffer[] = [];
  #isEnding = false;
  #isOver = false;

  constructor(route: Route, events: UpstreamEvents) {
    this.#events = events;
    this.#cancel = openSocket(
      route,
      {
        ready: (socket) => this.#onReady(socket),
        failed: (error, stage) => this.#finish(() => events.failed(connectFault(error, stage))),
      },
      // The buffer of the socket is used again for the next bytes.
      (bytes) => events.bytes(Buffer.from(bytes)),
    );
  }

  #onReady(socket: Socket): void {
    this.#socket = socket;
    socket.on('drain', () => this.#events.drained());
    socket.on('end', () => this.#finish(() => this.#events.ended(false)));
    socket.on('error', () => this.#finish(() => this.#events.ended(true)));
    socket.on('close', () => this.#finish(() => this.#events.ended(false)));
    for (const bytes of this.#early.splice(0)) socket.write(bytes);
    if (this.#isEnding) socket.end();
    this.#events.drained();
  }

  #finish(act: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    act();
  }

  /** False if the client must wait until the bytes are sent. */
  write(bytes: Buffer): boolean {
    if (this.#socket !== undefined) return this.#socket.write(bytes);
    this.#early.push(bytes);
    return false;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** The client sends nothing more. */
  end(): void {
    this.#isEnding = true;
    this.#socket?.end();
  }

  close(isReset: boolean): void {
    this.#isOver = true;
    this.#cancel();
    if (isReset) this.#socket?.resetAndDestroy();
    else this.#socket?.destroy();
  }
}
