import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './load.ts';

/** How many requests to send, each made from its number, and what to do with each response. */
export interface UniqueLoad {
  readonly count: number;
  make(this: void, index: number): LoadRequest;
  received?(this: void, body: string): void;
}

/**
 * Sends requests on 32 kept connections, each with another `traceparent` (W3C Trace Context), as
 * clients with tracing do: no server can answer from a cache of whole heads. Rejects if a response
 * is not successful.
 */
export async function sendUnique(url: string, load: UniqueLoad): Promise<void> {
  const { hostname, port, host } = new URL(url);
  let sent = 0;
  const next = (): string | undefined =>
    sent < load.count ? writeRequest(host, load.make(sent++)) : undefined;
  await Promise.all(
    Array.from({ length: 32 }, () =>
      converse(connect(Number(port), hostname), next, load.received),
    ),
  );
}

function writeRequest(
  host: string,
  { method = 'GET', path, headers = {}, body = '' }: LoadRequest,
): string {
  const id = randomBytes(24).toString('hex');
  const fields = {
    Host: host,
    'User-Agent': 'bench',
    Accept: 'application/json',
    ...headers,
    traceparent: `00-${id.slice(0, 32)}-${id.slice(32)}-01`,
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends one request after the other on a connection, until there is none left. */
function converse(
  socket: Socket,
  next: () => string | undefined,
  receive: UniqueLoad['received'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const send = (): void => {
      const request = next();
      if (request === undefined) socket.end(resolve);
      else socket.write(request);
    };
    socket.setNoDelay(true).setEncoding('latin1');
    socket.once('connect', send).once('error', reject);
    socket.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = received.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (!head.startsWith('HTTP/1.1 2') || Number.isNaN(length)) {
        socket.destroy();
        return reject(new Error(`The load did not go through: ${received.slice(0, 400)}`));
      }
      const whole = end + 4 + length;
      if (received.length < whole) return;
      receive?.(received.slice(end + 4, whole));
      received = received.slice(whole);
      send();
    });
  });
}
