import type { Socket } from 'node:net';
import { lingerMs } from '../server/limits.ts';

/** A request is late without a new byte for this long, or if it is not whole for this long. */
const longestPauseMs = 30_000;
const longestRequestMs = 300_000;

/** The connection of a client: what is written to it, how it ends, and whether it sends slowly. */
export class ClientSocket {
  readonly #socket: Socket;
  #isHangingUp = false;
  /** When the incomplete request began, and when its last bytes came. */
  #partial: { readonly since: number; heard: number } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** False if the writer must wait until the bytes are sent. */
  write(bytes: Buffer | string): boolean {
    return !this.#socket.writable || this.#socket.write(bytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resets the connection after what was written to it. */
  reset(): void {
    this.#socket.write('', () => this.#socket.resetAndDestroy());
  }

  /**
   * Closes it after the last bytes. What the client still sends is discarded for a short time:
   * closing with unread bytes resets the connection, and the last response with it (RFC 9112,
   * section 9.6).
   */
  hangUp(last: Buffer): void {
    if (this.#isHangingUp) return;
    this.#isHangingUp = true;
    this.#socket.end(last, () => setTimeout(() => this.destroy(), lingerMs).unref());
    this.#socket.resume();
  }

  /** Notes that bytes came; `isPartial`: whether a request is still incomplete. */
  heard(isPartial: boolean): void {
    const now = performance.now();
    if (!isPartial) this.#partial = undefined;
    else if (this.#partial === undefined) this.#partial = { since: now, heard: now };
    else this.#partial.heard = now;
  }

  /** Whether a request is incomplete for too long. */
  isLate(now: number): boolean {
    if (this.#partial === undefined) return false;
    const { since, heard } = this.#partial;
    return now - heard > longestPauseMs || now - since > longestRequestMs;
  }
}
