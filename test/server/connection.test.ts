import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeMock, makeGate, type Gate } from './fake-mock.ts';
import { connectRaw, exchangeRaw, statusOfGet } from './raw-client.ts';
import { serveFake, type Served } from './serve-fake.ts';

const ok = 'HTTP/1.1 200 OK';
const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const post = (target: string, length: number, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${body}`;

const started: Served[] = [];
const serve: typeof serveFake = async (...options) => {
  const served = await serveFake(...options);
  started.push(served);
  return served;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ listening }) => listening.close()));
});

/** An answer that waits for the gate, but for the one that shows that the server lives. */
const gatedBy =
  (gate: Gate) =>
  async ({ target }: { readonly target: string }) => {
    if (target !== '/alive') await gate.opened;
    return {};
  };

/**
 * Resolves when the server has read what was sent to it before: other connections have come and
 * gone since.
 */
async function serverHasCaughtUp(port: number): Promise<void> {
  for (let round = 0; round < 3; round += 1) await statusOfGet(port);
}

describe('pipelined requests', () => {
  test('have their effects and responses in order', async () => {
    const gate = makeGate();
    const mock = fakeMock(async ({ target }) => {
      if (target === '/first') await gate.opened;
      return {};
    });
    const { port } = await serve(mock);
    const client = await connectRaw(port);
    client.send(post('/first', 4, 'body') + get('/second') + get('/third'));
    await mock.asked;
    expect(mock.requests.map(({ target }) => target)).toEqual(['/first']);
    gate.open();
    const answers = [await client.read(), await client.read(), await client.read()];
    expect(answers.map(({ body }) => /"target":"([^"]*)"/.exec(body.toString())?.[1])).toEqual([
      '/first',
      '/second',
      '/third',
    ]);
    client.socket.destroy();
  });

  test('are answered before a malformed one behind them is refused', async () => {
    const gate = makeGate();
    const mock = fakeMock(() => gate.opened.then(() => ({})));
    const { port } = await serve(mock);
    const client = await connectRaw(port);
    client.send(`${get('/first')}${get('/second')}not HTTP\r\n\r\n`);
    await mock.asked;
    gate.open();
    const statuses = [
      (await client.read()).status,
      (await client.read()).status,
      (await client.read()).status,
    ];
    expect(statuses).toEqual([ok, ok, 'HTTP/1.1 501 Not Implemented']);
    await client.closed;
  });

  test('are answered before a CONNECT behind them is refused', async () => {
    const { port } = await serve();
    const client = await connectRaw(port);
    client.send(`${get('/first')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([(await client.read()).status, (await client.read()).status]).toEqual([
      ok,
      'HTTP/1.1 405 Method Not Allowed',
    ]);
    await client.closed;
  });

  test('end with the first refused one', async () => {
    const { port, mock } = await serve();
    const client = await connectRaw(port);
    client.send(get('/first') + get('/second', 'Host: other\r\n') + get('/third'));
    expect([(await client.read()).status, (await client.read()).status]).toEqual([
      ok,
      'HTTP/1.1 400 Bad Request',
    ]);
    await client.closed;
    expect(mock.requests.map(({ target }) => target)).toEqual(['/first']);
  });

  test('end with "Connection: close"', async () => {
    const { port, mock } = await serve(fakeMock(() => ({ body: Buffer.alloc(20_000_000) })));
    const client = await connectRaw(port);
    client.send(get('/first', 'Connection: close\r\n') + get('/second'));
    expect((await client.read()).body).toHaveLength(20_000_000);
    await client.closed;
    expect(mock.requests).toHaveLength(1);
  });

  test('end the connection of an endless client, and no other', async () => {
    const gate = makeGate();
    const { port, mock } = await serve(fakeMock(gatedBy(gate)));
    const client = await connectRaw(port);
    client.send(get('/').repeat(1_100));
    await client.closed;
    gate.open();
    expect(await statusOfGet(port)).toBe(ok);
    expect(mock.requests.map(({ target }) => target)).toEqual(['/', '/alive']);
  });
});

describe('misbehaving clients', () => {
  test('a half-closed client still gets its response', async () => {
    const gate = makeGate();
    const mock = fakeMock(gatedBy(gate));
    const { port } = await serve(mock);
    const client = await connectRaw(port);
    client.socket.end(get('/half-closed'));
    await mock.asked;
    await serverHasCaughtUp(port);
    gate.open();
    expect((await client.read()).status).toBe(ok);
    await client.closed;
  });

  test('a client that half-closes within a body gets 400', async () => {
    const { port, mock } = await serve();
    const client = await connectRaw(port);
    client.socket.end(post('/', 100, 'only this'));
    expect((await client.read()).status).toBe('HTTP/1.1 400 Bad Request');
    await client.closed;
    expect(mock.requests).toEqual([]);
  });

  test('a client that closes early is released', async () => {
    const { port } = await serve();
    const client = await connectRaw(port);
    client.socket.end();
    await client.closed;
    expect(await statusOfGet(port)).toBe(ok);
  });

  test.each([
    ['the head', 'GET / HTTP/1.1\r\nHo'],
    ['the body', post('/', 100, 'only this')],
    ['the answer', get('/')],
    ['a refusal', post('/', 999_999_999, 'only this')],
  ])('a reset in the middle of %s affects no other client', async (_name, bytes) => {
    const { port } = await serve();
    const client = await connectRaw(port);
    await new Promise((resolve) => client.socket.write(bytes, resolve));
    client.socket.resetAndDestroy();
    await client.closed;
    expect(await statusOfGet(port)).toBe(ok);
  });

  test('a reset while the response waits affects no other client', async () => {
    const gate = makeGate();
    const mock = fakeMock(gatedBy(gate));
    const { port } = await serve(mock);
    const client = await connectRaw(port);
    client.send(get('/slow'));
    await mock.asked;
    client.socket.resetAndDestroy();
    await serverHasCaughtUp(port);
    gate.open();
    expect(await statusOfGet(port)).toBe(ok);
  });

  test('a reset while a CONNECT waits affects no other client', async () => {
    const gate = makeGate();
    const mock = fakeMock(gatedBy(gate));
    const { port } = await serve(mock);
    const client = await connectRaw(port);
    client.send(`${get('/slow')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await mock.asked;
    client.socket.resetAndDestroy();
    await serverHasCaughtUp(port);
    gate.open();
    expect(await statusOfGet(port)).toBe(ok);
  });

  test('a client that sends the rest of a refused body is not reset', async () => {
    const { port } = await serve(fakeMock(), { bodyLimit: 1024 });
    const { client, response } = await exchangeRaw(port, post('/', 4_000_000, 'a'));
    expect(response.status).toMatch(/^HTTP\/1\.1 413 /);
    const errors: Error[] = [];
    client.socket.on('error', (error) => errors.push(error));
    client.send(Buffer.alloc(3_999_999));
    await client.closed;
    expect(errors).toEqual([]);
  });

  test('a client that keeps sending invalid bytes is disconnected', async () => {
    const { port } = await serve();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    const flood = (): void => void (socket.writable && socket.write(Buffer.alloc(65_536), flood));
    flood();
    await closed;
    expect(await statusOfGet(port)).toBe(ok);
  });

  test('a client with an endless body gets its 413 before the connection closes', async () => {
    const { port } = await serve(fakeMock(), { bodyLimit: 1024 });
    const client = await connectRaw(port);
    client.send('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    const flood = (): void =>
      void (
        client.socket.writable && client.socket.write(`10000\r\n${'a'.repeat(0x10000)}\r\n`, flood)
      );
    flood();
    expect((await client.read()).status).toMatch(/^HTTP\/1\.1 413 /);
    await client.closed;
  });

  test('200 concurrent requests all get a response', async () => {
    const { port } = await serve();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { client, response } = await exchangeRaw(port, post(`/${index}`, 3, 'abc'));
        client.socket.destroy();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([ok]));
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (length: number, headers = ''): string =>
    `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}Expect: ` +
    `100-continue\r\nContent-Length: ${length}\r\n\r\n`;

  test('gets its 100, and after the body its response', async () => {
    const { port, mock } = await serve();
    const { client, response } = await exchangeRaw(port, expecting(4));
    expect(response.status).toBe('HTTP/1.1 100 Continue');
    client.send('body');
    expect((await client.read()).status).toBe(ok);
    expect(Buffer.from(mock.requests[0]?.body ?? []).toString()).toBe('body');
    client.socket.destroy();
  });

  test.each([
    ['a body that is too large', 413, expecting(2_000_000)],
    ['a coding that is unknown', 415, expecting(4, 'Content-Encoding: zstd\r\n')],
  ])('gets its refusal at once for %s', async (_name, status, bytes) => {
    const { port } = await serve();
    const { client, response } = await exchangeRaw(port, bytes);
    expect(response.status).toContain(`HTTP/1.1 ${status} `);
    await client.closed;
  });
});

describe('slow clients', () => {
  const timeouts = { headersMs: 60, requestMs: 120, checkMs: 10 };

  test.each([
    ['says nothing', '', get('/')],
    ['stops in the request line', 'GET / HT', 'TP/1.1\r\nHost: localhost\r\n\r\n'],
    ['stops in the head', 'GET / HTTP/1.1\r\nHost: localhost\r\n', '\r\n'],
    ['stops in the body', post('/', 100, 'only this'), 'x'.repeat(91)],
    [
      'stops between two chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
      '0\r\n\r\n',
    ],
  ])('one that %s gets 408, and the rest comes too late', async (_name, bytes, rest) => {
    const { port, mock } = await serve(fakeMock(), {}, { timeouts });
    const { client, response } = await exchangeRaw(port, bytes);
    expect(response.status).toBe('HTTP/1.1 408 Request Timeout');
    expect(response.head).toMatch(/^Connection: close$/m);
    client.send(rest);
    await client.closed;
    expect(mock.requests).toEqual([]);
    expect(await statusOfGet(port)).toBe(ok);
  });

  test('a response may take longer than a request', async () => {
    const { port } = await serve(
      fakeMock(() => ({ delayMs: 200 })),
      {},
      { timeouts },
    );
    const { client, response } = await exchangeRaw(port, get('/'));
    expect(response.status).toBe(ok);
    client.socket.destroy();
  });

  test('a connection that stays idle is closed', async () => {
    const { port } = await serve(fakeMock(), {}, { timeouts: { ...timeouts, keepAliveMs: 20 } });
    const { client } = await exchangeRaw(port, get('/'));
    await expect(client.read()).rejects.toThrow('The connection ended after ""');
  });
});
