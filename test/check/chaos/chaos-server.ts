import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What is done to a socket instead of a decent answer. */
export type Behave = (socket: Socket, request: string) => void;

export const key = 'the-key-of-chaos';

/** A decent answer. */
export const decent = answer('{"count":1}');

/**
 * An answer that keeps every rule, with a body of one's own and header fields beside those that it
 * needs.
 */
export function answer(body: string | Buffer, fields = ''): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(
      'HTTP/1.1 200 OK\r\nContent-Type: application/' +
        `json\r\n${fields}Content-Length: ${String(bytes.length)}\r\n\r\n`,
      'latin1',
    ),
    bytes,
  ]);
}

/**
 * A server that is decent but for one operation, on bare sockets: no library mends what it sends.
 */
export class ChaosServer {
  /** Requests that came, whole, by their first lines. */
  readonly requests: string[] = [];
  /** The most bytes that the runner took of one connection, or the system on its behalf. */
  taken = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #head: boolean;
  readonly #everywhere: boolean;

  /**
   * `head`: it is HEAD that the one operation misbehaves at, and not GET. `everywhere`: all
   * operations misbehave, and not only `listThings`.
   */
  constructor(behave: Behave, head = false, everywhere = false) {
    this.#head = head;
    this.#everywhere = everywhere;
    this.#server = createServer((socket) => this.#serve(socket, behave));
  }

  #serve(socket: Socket, behave: Behave): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.taken = Math.max(this.taken, socket.bytesWritten);
    });
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end + 4);
        text = text.slice(end + 4);
        this.requests.push(request);
        this.#answer(socket, request, behave);
      }
    });
  }

  #answer(socket: Socket, request: string, behave: Behave): void {
    const [method] = request.split(' ', 1);
    const head = method === 'HEAD';
    if (/^x-api-key: (.*)\r$/im.exec(request)?.[1] !== key)
      socket.write(
        'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Key\r\nContent-Length: 0\r\n\r\n',
      );
    else if (!head && method !== 'GET')
      socket.write(
        'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\n\r\n',
      );
    else if ((this.#everywhere || request.includes('/things')) && head === this.#head)
      behave(socket, request);
    else socket.write(head ? 'HTTP/1.1 200 OK\r\n\r\n' : decent);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address with one.
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
