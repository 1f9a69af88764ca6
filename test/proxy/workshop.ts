import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Server as PlainServer,
  type Socket,
} from 'node:net';
import { afterEach } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import {
  type ProxyExchange,
  type RunningProxy,
  startProxy,
  type StartProxyOptions,
} from '../../src/library/start-proxy.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Calls a function after the test. */
export function afterTest(close: () => unknown): void {
  closers.push(close);
}

/** Listens on a free port until the end of the test. */
export async function listening(server: Server | PlainServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const thing: JsonObject = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

function answers(schema: JsonObject): JsonObject {
  return { description: 'ok', content: { 'application/json': { schema } } };
}

/** A small contract: things with a name, and a limit for their list. */
export const things: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { 200: answers({ type: 'array', items: thing }), 400: { description: 'bad' } },
      },
      post: {
        operationId: 'createThing',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string', minLength: 1 } },
              },
            },
          },
        },
        responses: { 201: answers(thing), 400: { description: 'bad' } },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
        ],
        responses: { 200: answers(thing), 404: { description: 'none' } },
      },
    },
  },
};

/** A proxy before a service, and what it says. */
export interface Setting {
  readonly proxy: RunningProxy;
  readonly url: string;
  readonly seen: ProxyExchange[];
  readonly notes: string[];
}

/** Starts a proxy before a service, until the end of the test. */
export async function proxyBefore(
  port: number,
  options: Partial<StartProxyOptions> = {},
): Promise<Setting> {
  const [seen, notes]: [ProxyExchange[], string[]] = [[], []];
  const proxy = await startProxy({
    url: `http://127.0.0.1:${String(port)}/v1`,
    contract: things,
    config: false,
    onExchange: (exchange) => seen.push(exchange),
    onNote: (note) => notes.push(note),
    ...options,
  });
  closers.push(() => proxy.close());
  return { proxy, url: proxy.url, seen, notes };
}

/** A proxy before an HTTP server. */
export async function proxied(
  listener: RequestListener,
  options: Partial<StartProxyOptions> = {},
): Promise<Setting> {
  return proxyBefore(await listening(createServer(listener)), options);
}

/** A service that keeps every byte, and answers each piece with an empty list. */
export async function keepingBytes(
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]',
): Promise<{ readonly port: number; readonly received: () => string }> {
  const pieces: Buffer[] = [];
  const port = await listening(
    createPlainServer((socket) => {
      socket.on('data', (bytes: Buffer) => {
        pieces.push(bytes);
        socket.write(answer);
      });
      socket.on('end', () => socket.end());
    }),
  );
  return { port, received: () => Buffer.concat(pieces).toString('latin1') };
}

/** Sends bytes, and returns what comes until the other side closes or `enough` has come. */
export function converse(url: string, sent: string, enough = /^$/): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(sent, 'latin1'));
    const finish = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (enough.test(received)) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
  });
}
