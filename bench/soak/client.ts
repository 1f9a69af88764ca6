import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** What came of a request: its answer, or nothing whole where the connection was lost. */
export type Reply =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }
  | undefined;

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A client with connections of its own. Nothing rejects: a connection that is lost is no answer.
 */
export class Client {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(base: string) {
    this.#base = new URL(base);
  }

  ask(method: string, path: string, { headers = {}, body }: Asking = {}): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = {
      ...headers,
      ...(text === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
    };
    return new Promise((resolve) => {
      const lost = (): void => resolve(undefined);
      const outgoing = request(
        this.#base,
        {
          method,
          path: this.#base.pathname.replace(/\/$/, '') + path,
          agent: this.#agent,
          headers: sent,
          timeout: 30_000,
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer
            .on('data', (part: Buffer) => parts.push(part))
            .on('error', lost)
            .on('aborted', lost);
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      outgoing.on('error', lost).on('timeout', () => outgoing.destroy());
      outgoing.end(text);
    });
  }

  /**
   * Writes bytes on a connection of their own. `end` says how the client leaves: as one should, by
   * a reset, or when the server closes.
   */
  throwBytes(bytes: string, end: 'closes' | 'resets' | 'waits'): Promise<string> {
    return new Promise((resolve) => {
      let seen = '';
      const socket = connect({ host: this.#base.hostname, port: Number(this.#base.port) });
      socket
        .on('error', () => undefined)
        .on('data', (part) => (seen += part.toString('latin1')))
        .on('close', () => resolve(seen));
      socket.setTimeout(20_000, () => socket.destroy());
      socket.on('connect', () =>
        socket.write(bytes, 'latin1', () =>
          end === 'resets' ? socket.resetAndDestroy() : end === 'closes' ? socket.end() : undefined,
        ),
      );
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
