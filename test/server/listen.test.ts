import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { listen } from '../../src/server/listen.ts';
import { fakeMock, makeGate } from './fake-mock.ts';
import { connectRaw, exchangeRaw, statusOfGet } from './raw-client.ts';
import { serveFake } from './serve-fake.ts';

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const ok = 'HTTP/1.1 200 OK';

describe('the port of a server', () => {
  const squatters: Server[] = [];
  afterEach(async () => {
    await Promise.all(
      squatters.splice(0).map((squatter) => new Promise((resolve) => squatter.close(resolve))),
    );
  });

  async function takePort(): Promise<number> {
    const squatter = createServer().listen(0, '127.0.0.1');
    squatters.push(squatter);
    await once(squatter, 'listening');
    const address = squatter.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  test('0 is any that is free', async () => {
    const { listening, port } = await serveFake();
    expect(listening).toMatchObject({ url: `http://127.0.0.1:${port}`, port, requestedPort: 0 });
    expect(port).toBeGreaterThan(0);
    await listening.close();
  });

  test('that is taken gives way to the next free one', async () => {
    const taken = await takePort();
    const { listening, port } = await serveFake(fakeMock(), {}, { port: taken });
    expect(port).toBeGreaterThan(taken);
    expect(listening.requestedPort).toBe(taken);
    expect(await statusOfGet(port)).toBe(ok);
    await listening.close();
  });

  test('that is taken is an error where no other may be tried', async () => {
    const taken = await takePort();
    const failure = await failureOf(serveFake(fakeMock(), {}, { port: taken, portsToTry: 1 }));
    expect({
      code: failure.code,
      message: failure.message.replace(String(taken), 'N'),
      hint: failure.hint,
    }).toMatchInlineSnapshot(`
      {
        "code": "port-taken",
        "hint": "Stop what runs there, or take another port; 0 takes any that is free.",
        "message": "Port N is taken.",
      }
    `);
  });

  test.each([-1, 65_536, 1.5, Number.NaN])('%s is none', async (port) => {
    expect(await failureOf(listen(() => undefined, { port }))).toMatchObject({ code: 'usage' });
  });

  test("of an address that is not this machine's cannot be had", async () => {
    const failure = await failureOf(listen(() => undefined, { port: 0, host: '192.0.2.1' }));
    expect({
      code: failure.code,
      message: failure.message,
      hint: failure.hint,
    }).toMatchInlineSnapshot(`
      {
        "code": "usage",
        "hint": "Use an address of this machine, such as 127.0.0.1.",
        "message": "Cannot listen on 192.0.2.1, port 0: EADDRNOTAVAIL.",
      }
    `);
  });

  test.each([
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ])('of %s has a URL that works', async (host, url) => {
    const { listening, port } = await serveFake(fakeMock(), {}, { host });
    expect(listening.url).toMatch(url);
    expect((await fetch(`${listening.url}/things`)).status).toBe(200);
    expect(port).toBe(Number(new URL(listening.url).port));
    await listening.close();
  });
});

describe('closing a server', () => {
  test('loses no exchange that is under way, and takes no new one', async () => {
    const gate = makeGate();
    const mock = fakeMock(() => gate.opened.then(() => ({ delayMs: 20 })));
    const { listening, port } = await serveFake(mock);
    const client = await connectRaw(port);
    client.send(get('/slow'));
    await mock.asked;
    const closed = listening.close();
    await expect(fetch(`${listening.url}/late`)).rejects.toThrow();
    await new Promise((resolve) => client.socket.write(get('/late'), resolve));
    await turnsOfTheEventLoop(10);
    gate.open();
    const response = await client.read();
    expect(response.status).toBe(ok);
    expect(response.head).toMatch(/^Connection: close$/m);
    await Promise.all([closed, client.closed]);
    expect(mock.requests.map(({ target }) => target)).toEqual(['/slow']);
  });

  test('answers every request that was sent on one connection', async () => {
    const gate = makeGate();
    const mock = fakeMock(() => gate.opened.then(() => ({})));
    const { listening, port } = await serveFake(mock);
    const client = await connectRaw(port);
    client.send(get('/first') + get('/second'));
    await mock.asked;
    const closed = listening.close();
    gate.open();
    expect([(await client.read()).status, (await client.read()).status]).toEqual([ok, ok]);
    await Promise.all([closed, client.closed]);
  });

  test('closes a connection whose answer had begun to leave, as soon as it has left', async () => {
    const mock = fakeMock(() => ({ body: Buffer.alloc(20_000_000) }));
    const { listening, port } = await serveFake(
      mock,
      {},
      { timeouts: { keepAliveMs: 60_000, drainMs: 60_000 } },
    );
    const client = await connectRaw(port);
    client.send(get('/large'));
    await once(client.socket, 'data');
    client.socket.pause();
    const closed = listening.close();
    client.socket.resume();
    expect((await client.read()).body).toHaveLength(20_000_000);
    await Promise.all([closed, client.closed]);
  });

  test('closes connections that are idle, new or in the middle of a head', async () => {
    const { listening, port } = await serveFake();
    const { client: idle } = await exchangeRaw(port, get('/'));
    const fresh = await connectRaw(port);
    const partial = await connectRaw(port);
    partial.send('GET / HTTP/1.1\r\nHos');
    expect(await statusOfGet(port)).toBe(ok);
    await listening.close();
    await Promise.all([idle.closed, fresh.closed, partial.closed]);
  });

  test('gives up what does not end in time', async () => {
    const mock = fakeMock(() => new Promise(() => undefined));
    const { listening, port } = await serveFake(mock, {}, { timeouts: { drainMs: 30 } });
    const client = await connectRaw(port);
    client.send(get('/never'));
    await mock.asked;
    await listening.close();
    await expect(client.read()).rejects.toThrow('The connection ended after ""');
  });

  test('may be called again, and at the same time', async () => {
    const { listening } = await serveFake();
    await Promise.all([listening.close(), listening.close()]);
    await expect(listening.close()).resolves.toBeUndefined();
  });

  test('leaves the port free', async () => {
    const { listening, port } = await serveFake();
    await exchangeRaw(port, get('/'));
    await listening.close();
    const again = await serveFake(fakeMock(), {}, { port, portsToTry: 1 });
    expect(again.port).toBe(port);
    await again.listening.close();
  });
});

/** Long enough for a server in this process to read what was sent to it before. */
async function turnsOfTheEventLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function failureOf(attempt: Promise<unknown>): Promise<VouchError> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof VouchError) return failure;
  throw new Error(`expected a VouchError, got ${String(failure)}`);
}
