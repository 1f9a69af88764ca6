import type Http from 'node:http';
import { createRequire } from 'node:module';
import { emptyBody } from '../../http/message.ts';

const require = createRequire(import.meta.url);

/**
 * What a server needs of node:http. An `import` reads every name of a module, and among those of
 * node:http are some of a client, which Node loads when they are read: a tenth of a start. The cast
 * names the types that `require` cannot carry.
 */
const http = require('node:http') as typeof Http;
export const { createServer } = http;
const { IncomingMessage, ServerResponse } = http;

/**
 * A request whose body is no stream until somebody reads it as one. Nearly every body comes in as
 * one chunk, and a stream that takes it in, flows and ends costs more than all that is done with
 * it. Whoever reads, pipes or resumes it gets what every request gives.
 */
export class ServedRequest extends IncomingMessage {
  /** What has come in aside from the stream: nothing yet, or a chunk that may be the whole. */
  #held: Uint8Array = emptyBody;
  #state: 'coming' | 'whole' | 'taken' | 'stream' = 'coming';

  static {
    // To Node a request whose body was taken has ended as one that was read to its end. Its types
    // have a property here.
    const ended = Object.getOwnPropertyDescriptor(
      Object.getPrototypeOf(IncomingMessage.prototype),
      'readableEnded',
    )?.get;
    Object.defineProperty(this.prototype, 'readableEnded', {
      configurable: true,
      get(this: ServedRequest) {
        return this.#state === 'taken' || ended?.call(this) === true;
      },
    });
  }

  /**
   * The whole body, once: undefined while it is still coming in, for one that is read as a stream,
   * and for a request that was given up.
   */
  takeWhole(): Uint8Array | undefined {
    return this.#state === 'whole' && !this.destroyed ? this.#take() : undefined;
  }

  /** Says that nobody will ask for the body, because there is none. */
  forgoBody(): void {
    if (this.#state === 'coming' || this.#state === 'whole') this.#take();
  }

  #take(): Uint8Array {
    const body = this.#held;
    this.#held = emptyBody;
    this.#state = 'taken';
    // Tells Node that the body is wanted, and need not be thrown away when the answer is out.
    super._read(0);
    return body;
  }

  /** Node's parser hands over each chunk of the body, and null at its end. */
  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (this.#state === 'stream') return super.push(chunk, encoding);
    if (this.#state !== 'coming') return true;
    if (chunk !== null && this.#held.length > 0) {
      this.#flow();
      return super.push(chunk, encoding);
    }
    if (chunk === null) this.#state = 'whole';
    else this.#held = chunk;
    return true;
  }

  /** Somebody reads it as a stream: what was held goes there. */
  override _read(size: number): void {
    super._read(size);
    if (this.#state !== 'stream') this.#flow();
  }

  #flow(): void {
    const [held, isOver] = [this.#held, this.#state !== 'coming'];
    this.#held = emptyBody;
    this.#state = 'stream';
    if (held.length > 0) super.push(held);
    if (isOver) super.push(null);
  }
}

/**
 * A response that needs no listeners to be followed, and whose errors end nothing: each listener
 * costs as much as a header field.
 */
export class ServedResponse extends ServerResponse {
  /** Told once, when the response is out or can no longer be sent. */
  whenOver: ((response: Http.ServerResponse) => void) | undefined;

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event === 'close') this.whenOver?.(this);
    // Without a listener an error would end the process when a client resets its connection.
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return super.emit(event as string, ...given);
  }
}

/** Has somebody told when a response is over, whatever server it is of. */
export function followResponse(
  response: Http.ServerResponse,
  whenOver: (response: Http.ServerResponse) => void,
): void {
  if (response instanceof ServedResponse) response.whenOver = whenOver;
  else response.on('close', () => whenOver(response));
}

/** Has errors of a response end nothing, whatever server it is of. */
export function ignoreErrors(response: Http.ServerResponse): void {
  if (!(response instanceof ServedResponse)) response.on('error', ignore);
}

function ignore(): void {}
