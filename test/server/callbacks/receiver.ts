import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the receiver got. */
export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Somebody on this machine who waits for callbacks. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves once so many have come. */
  came(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on a free port; it answers 204 unless told. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received, count: number) => void = (response) =>
    void response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const one = {
          method: request.method ?? '',
          target: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        received.push(one);
        for (const wake of waiting.splice(0)) wake();
        answer(response, one, received.length);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address that is no text.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    received,
    async came(count) {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
