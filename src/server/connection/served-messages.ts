import type Http from 'node:http';
import { createRequire } from 'node:module';
import { emptyBody } from '../../http/message.ts';

const require = createRequire(import.meta.url);

/**
 * The used parts of node:http. An `import` would read every export, and Node loads the client for
 * some of them: a tenth of the startup time. The cast adds the types that `require` lacks.
 */
const http = require('node:http') as typeof Http;
export const { createServer } = http;
const { IncomingMessage, ServerResponse } = http;

/**
 * A request whose body becomes a stream only when it is read as one. Most bodies arrive in one
 * chunk, and a stream that receives, emits and ends costs more than the rest of the work. Reading,
 * piping and resuming work as usual.
 */
export class ServedRequest extends IncomingMessage {
  /** The received part of the body: empty, or a chunk that may be the whole. */
  #held: Uint8Array = emptyBody;
  #sendContinue: (() => void) | undefined;
  #state: 'coming' | 'whole' | 'taken' | 'stream' = 'coming';

  static {
    // A request whose body was taken must look complete to Node. Node's types declare a property
    // here.
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
   * The whole body, once: undefined while it is still arriving, after it was read as a stream, and
   * for an aborted request.
   */
  takeWhole(): Uint8Array | undefined {
    return this.#state === 'whole' && !this.destroyed ? this.#take() : undefined;
  }

  /** Delays the `100 Continue` until the body is read (RFC 9110, section 10.1.1). */
  deferContinue(send: () => void): void {
    this.#sendContinue = send;
  }

  /** Sends the delayed `100 Continue`, if there is one. */
  sendContinue(): void {
    const send = this.#sendContinue;
    this.#sendContinue = undefined;
    send?.();
  }

  /** Declares that the request has no body. */
  forgoBody(): void {
    if (this.#state === 'coming' || this.#state === 'whole') this.#take();
  }

  #take(): Uint8Array {
    const body = this.#held;
    this.#held = emptyBody;
    this.#state = 'taken';
    // Marks the body as read, so that Node does not discard it after the response.
    super._read(0);
    return body;
  }

  /** Called by Node's parser with each chunk of the body, and with null at its end. */
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

  /** The body is read as a stream: passes on the received part. */
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
 * A response that is tracked without listeners and whose errors end nothing: each listener costs as
 * much as a header field.
 */
export class ServedResponse extends ServerResponse {
  /** Called once, when the response is sent or can no longer be sent. */
  whenOver: ((response: Http.ServerResponse) => void) | undefined;

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    if (event === 'close') this.whenOver?.(this);
    // Without a listener, an error would end the process when a client resets its connection.
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return super.emit(event as string, ...given);
  }
}

/** Calls back when a response is finished, for a response of any server. */
export function followResponse(
  response: Http.ServerResponse,
  whenOver: (response: Http.ServerResponse) => void,
): void {
  if (response instanceof ServedResponse) response.whenOver = whenOver;
  else response.on('close', () => whenOver(response));
}

/** Ignores errors of a response of any server. */
export function ignoreErrors(response: Http.ServerResponse): void {
  if (!(response instanceof ServedResponse)) response.on('error', ignore);
}

function ignore(): void {}
