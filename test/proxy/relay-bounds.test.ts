import { createServer as createPlainServer, connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { findSystemAddresses } from '../../src/check/transport/wire/socket/open-socket.ts';
import { whyUnjudgeable } from '../../src/proxy/judged-request.ts';
import type { ProxiedExchange } from '../../src/proxy/proxied-exchange.ts';
import { RelayConnection } from '../../src/proxy/relay-connection.ts';
import type { RelayRules } from '../../src/proxy/relay-rules.ts';
import { afterTest, keepingBytes, listening } from './workshop.ts';

const budgetBytes = 4_000;

/** Connections through a proxy with a small budget; every request is admitted. */
interface Relays {
  readonly port: number;
  readonly budget: { readonly each: number; left: number };
  readonly connections: Set<RelayConnection>;
  readonly settled: ProxiedExchange[];
}

async function relaysTo(service: number, rules: Partial<RelayRules> = {}): Promise<Relays> {
  const budget = { each: 1_000, left: budgetBytes };
  const [connections, settled] = [new Set<RelayConnection>(), [] as ProxiedExchange[]];
  const route = {
    host: '127.0.0.1',
    port: service,
    secure: false,
    proxy: undefined,
    findAddresses: findSystemAddresses,
  };
  const server = createPlainServer({ allowHalfOpen: true }, (client) => {
    const connection: RelayConnection = new RelayConnection(
      client,
      {
        route,
        host: undefined,
        budget,
        timeoutMs: 10_000,
        nextNumber: () => settled.length + 1,
        replaceable: new Set(),
        settled: (exchange) => {
          settled.push(exchange);
          budget.left += exchange.lent;
        },
        slow: () => {},
        note: () => {},
        turnedAway: () => {},
        ...rules,
      },
      () => connections.delete(connection),
    );
    connections.add(connection);
  });
  return { port: await listening(server), budget, connections, settled };
}

const gate: RelayRules['gate'] = {
  beforehand: (head) => whyUnjudgeable(head, { operations: [] }),
  refuse: () => undefined,
  passesUnjudged: false,
};

async function call(port: number): Promise<{ socket: Socket; received: () => string }> {
  let received = '';
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (bytes) => (received += bytes.toString('latin1')));
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  afterTest(() => socket.destroy());
  return { socket, received: () => received };
}

function upload(size: number, sent: number): string {
  const head = `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(size)}\r\n\r\n`;
  return head + 'a'.repeat(sent);
}

describe('a client that leaves in the middle of an upload', () => {
  test.each([
    ['with a gate', { gate }],
    ['without one', {}],
  ])('%s: its connection and its budget are let go at once', async (_name, rules) => {
    const service = await keepingBytes('');
    const { port, budget, connections } = await relaysTo(service.port, rules);
    const { socket } = await call(port);
    socket.write(upload(900, 500));
    await expect.poll(() => budget.left).toBe(budgetBytes - 500);
    socket.end();
    await expect.poll(() => connections.size).toBe(0);
    expect(budget.left).toBe(budgetBytes);
  });

  test('in the middle of the header, its connection is let go too', async () => {
    const service = await keepingBytes('');
    const { port, connections } = await relaysTo(service.port, { gate });
    const { socket } = await call(port);
    socket.write('POST /a HTTP/1.1\r\nHost:');
    await expect.poll(() => connections.size).toBe(1);
    socket.end();
    await expect.poll(() => connections.size).toBe(0);
  });

  test('and one that closes only its side after the request gets its response', async () => {
    const service = await keepingBytes();
    for (const rules of [{ gate }, {}]) {
      const { port, connections } = await relaysTo(service.port, rules);
      const { socket, received } = await call(port);
      socket.end(upload(3, 3));
      await expect.poll(received).toMatch(/\[\]$/);
      await expect.poll(() => connections.size).toBe(0);
    }
  });
});

describe('the bytes of bodies', () => {
  test('go back to the budget when the exchange is over, not with the next request', async () => {
    const service = await keepingBytes();
    const { port, budget, settled } = await relaysTo(service.port, { gate });
    const { socket } = await call(port);
    socket.write(upload(900, 900));
    await expect.poll(() => settled.length).toBe(1);
    expect(settled[0]?.lent).toBe(902);
    expect(budget.left).toBe(budgetBytes);
  });

  test('of clients that stand still leave no room for others, until they are late', async () => {
    const service = await keepingBytes();
    const { port, budget, connections } = await relaysTo(service.port, { gate });
    const still = await Promise.all([1, 2, 3, 4].map(() => call(port)));
    for (const { socket } of still) socket.write(upload(1_000, 990));
    await expect.poll(() => budget.left).toBe(budgetBytes - 4 * 990);
    const other = await call(port);
    other.socket.write(upload(900, 900));
    await expect.poll(other.received).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 1/s);
    expect(service.received()).toBe('');
    for (const connection of connections) connection.sweep(performance.now() + 31_000);
    for (const { received } of still) await expect.poll(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(budget.left).toBe(budgetBytes);
  });

  test('a request that drips for more than five minutes is refused', async () => {
    const service = await keepingBytes();
    const { port, connections } = await relaysTo(service.port, { gate });
    const { socket, received } = await call(port);
    socket.write(upload(900, 1));
    await expect.poll(() => [...connections].some(({ isBusy }) => isBusy)).toBe(true);
    for (const connection of connections) connection.sweep(performance.now() + 301_000);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('pipelined requests', () => {
  const one = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
  const count = (text: string): number => text.split(one).length - 1;

  test('at most a hundred reach the service before it answers', async () => {
    const service = await keepingBytes('');
    const { port } = await relaysTo(service.port);
    const { socket } = await call(port);
    socket.write(one.repeat(500));
    await expect.poll(() => count(service.received())).toBe(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(count(service.received())).toBe(100);
  });

  test('with a gate, one follows the other', async () => {
    const service = await keepingBytes('');
    const { port } = await relaysTo(service.port, { gate });
    const { socket } = await call(port);
    socket.write(one.repeat(5));
    await expect.poll(() => count(service.received())).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(count(service.received())).toBe(1);
  });

  test('a client that sends more and more of them is paused', async () => {
    const service = await keepingBytes('');
    const { port } = await relaysTo(service.port, { gate });
    const { socket } = await call(port);
    let sent = 0;
    const piece = one.repeat(1_000);
    // What the sockets of both sides buffer is not the proxy's.
    while (sent < 64 * 1024 * 1024 && socket.write(piece)) {
      sent += piece.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('all of them are answered in the end', async () => {
    const service = await keepingBytes('HTTP/1.1 204 No Content\r\n\r\n'.repeat(1));
    const { port, settled } = await relaysTo(service.port, { gate });
    const { socket } = await call(port);
    socket.end(one.repeat(300));
    await expect.poll(() => settled.length, { timeout: 5_000 }).toBe(300);
  });
});
