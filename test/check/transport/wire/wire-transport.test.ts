import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, TransportFault } from '../../../../src/check/model/exchange.ts';
import { type Transport, UnsendableRequest } from '../../../../src/check/transport/send.ts';
import { openTransport } from '../../../../src/check/transport/wire/wire-transport.ts';
import { emptyBody, type HttpRequest } from '../../../../src/http/message.ts';

let server: Server | undefined;
let transport: Transport | undefined;
afterEach(async () => {
  await transport?.close();
  server?.close();
});

type Behave = (socket: Socket, request: string) => void;

/** A socket that behaves as told as soon as a request came; the base URL of it. */
async function listen(behave: Behave): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => behave(socket, data.toString('latin1')));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
}

const get: HttpRequest = { method: 'GET', target: '/v1/things', headers: [], body: emptyBody };

async function exchange(
  behave: Behave,
  request: HttpRequest = get,
  { signal = new AbortController().signal, timeoutMs = 250 } = {},
): Promise<Exchange> {
  transport = openTransport({ timeoutMs, connections: 2 });
  return transport.send(await listen(behave), request, signal);
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('each network fault has a kind and a message', () => {
  const table: readonly (readonly [string, Behave, TransportFault, string])[] = [
    ['hangs', () => {}, 'timeout', 'no response within 250 ms.'],
    [
      'hangs after the header',
      (socket) => socket.write(`${ok}Content-Length: 5\r\n\r\nabc`),
      'timeout',
      'incomplete response after 250 ms: it stopped after status 200 and 3 of 5 bytes of the body.',
    ],
    [
      'resets',
      (socket) => socket.resetAndDestroy(),
      'connection.reset',
      'the server closed the connection without a response.',
    ],
    [
      'closes',
      (socket) => socket.end(),
      'connection.reset',
      'the server closed the connection without a response.',
    ],
    [
      'breaks off',
      (socket) => socket.end(`${ok}Content-Length: 10\r\n\r\nabc`),
      'connection.truncated',
      'the response ended early, after status 200 and 3 of 10 bytes of the body.',
    ],
    [
      'sends no last chunk',
      (socket) => socket.end(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
      'connection.truncated',
      'the response ended early, after status 200 and 3 bytes of the body.',
    ],
    [
      'sends a chunk that is none',
      (socket) => socket.end(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
      'framing.chunk-size',
      'the size of a chunk is "zz".',
    ],
    [
      'is no HTTP',
      (socket) => socket.end('220 mail ready\r\n\r\n'),
      'protocol.not-http',
      String.raw`the response is not HTTP/1.1: it begins with "220 mail ready\r\n\r\n".`,
    ],
    [
      'names two lengths',
      (socket) => socket.end(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`),
      'framing.length-conflict',
      'Content-Length is given as "2 and as 3".',
    ],
    [
      'switches protocols',
      (socket) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'protocol.unsolicited-upgrade',
      'the status is 101, although the request did not ask for another protocol.',
    ],
    [
      'sends a header without end',
      (socket) => socket.end(`${ok}X: ${'a'.repeat(200_000)}\r\n\r\n`),
      'headers.too-large',
      'the header of the response is larger than 64 KiB.',
    ],
  ];
  test.each(table)('%s', async (_name, behave, kind, message) => {
    const { fault, response } = await exchange(behave);
    expect(fault).toEqual({ kind, message });
    expect(response).toBeUndefined();
  });

  test('a dripping response ends at the deadline', async () => {
    let timer: NodeJS.Timeout | undefined;
    const { fault } = await exchange((socket) => {
      socket.write(`${ok}Content-Length: 1000\r\n\r\n`);
      timer = setInterval(() => socket.write('x'), 20);
    });
    clearInterval(timer);
    expect(fault?.kind).toBe('timeout');
  });

  test('an endless response ends at the size limit', async () => {
    const { fault } = await exchange(
      (socket) => {
        socket.write(`${ok}\r\n`);
        const chunk = 'x'.repeat(65_536);
        const more = (error?: Error | null): void => {
          if (error === undefined || error === null) socket.write(chunk, more);
        };
        more();
      },
      get,
      { timeoutMs: 10_000 },
    );
    expect(fault).toEqual({
      kind: 'body.too-large',
      message: 'the body of the response is larger than 8 MiB, and its header has no length.',
    });
  });
});

describe('a response is recorded unchanged', () => {
  test('header fields in order, twice and in their case', async () => {
    const { response } = await exchange((socket) =>
      socket.write(`${ok}X-Two: 1\r\nx-two: 2\r\nContent-Length: 2\r\n\r\nhi`),
    );
    expect(response).toEqual({
      status: 200,
      headers: [
        ['X-Two', '1'],
        ['x-two', '2'],
        ['Content-Length', '2'],
      ],
      body: new TextEncoder().encode('hi'),
    });
  });

  test('a compressed body stays compressed', async () => {
    const packed = gzipSync('{"a":1}');
    const { response } = await exchange((socket) =>
      socket.end(
        Buffer.concat([
          Buffer.from(
            `${ok}Content-Encoding: gzip\r\nContent-Length: ${String(packed.length)}\r\n\r\n`,
          ),
          packed,
        ]),
      ),
    );
    expect(Buffer.from(response?.body ?? []).equals(packed)).toBe(true);
  });

  test('a redirect is not followed', async () => {
    let requests = 0;
    const { response } = await exchange((socket) => {
      requests += 1;
      socket.write('HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n');
    });
    expect(response?.status).toBe(302);
    expect(requests).toBe(1);
  });

  test('a body that ends with the connection', async () => {
    const { response } = await exchange((socket) =>
      socket.end('HTTP/1.1 299 Odd\r\n\r\nuntil the end'),
    );
    expect(response?.status).toBe(299);
    expect(new TextDecoder().decode(response?.body)).toBe('until the end');
  });
});

test('a request is sent as written', async () => {
  let seen = '';
  await exchange(
    (socket, request) => {
      seen += request;
      socket.end(`${ok}Content-Length: 0\r\n\r\n`);
    },
    {
      method: 'POST',
      target: '/v1/a%2Fb/../c?x=%zz&y=',
      headers: [
        ['X-One', '1'],
        ['Content-Type', 'application/json'],
      ],
      body: new TextEncoder().encode('{}'),
    },
  );
  expect(seen.split('\r\n')[0]).toBe('POST /v1/a%2Fb/../c?x=%zz&y= HTTP/1.1');
  expect(seen.toLowerCase()).toContain('x-one: 1\r\ncontent-type: application/json\r\n');
  expect(seen.endsWith('\r\n\r\n{}')).toBe(true);
});

describe('a connection that is closed before the response begins', () => {
  async function twice(
    method: string,
    body = emptyBody,
  ): Promise<{ readonly exchanges: readonly Exchange[]; readonly requests: number }> {
    let requests = 0;
    const seen = new WeakSet<Socket>();
    const url = await listen((socket) => {
      requests += 1;
      if (seen.has(socket)) socket.destroy();
      else socket.write(`${ok}Content-Length: 0\r\n\r\n`);
      seen.add(socket);
    });
    const open = openTransport({ timeoutMs: 2_000, connections: 1 });
    transport = open;
    const signal = new AbortController().signal;
    return {
      exchanges: [
        await open.send(url, get, signal),
        await open.send(url, { ...get, method, body }, signal),
      ],
      requests,
    };
  }

  test.each(['GET', 'HEAD', 'OPTIONS'])(
    '%s is sent once more where the connection had been idle, and says so',
    async (method) => {
      const {
        exchanges: [first, second],
        requests,
      } = await twice(method);
      expect(first?.resent).toBeUndefined();
      expect(second?.response?.status).toBe(200);
      expect(second?.resent).toBe(
        'The server closed an idle connection just as the request left, and ' +
          'no byte of a response had arrived.',
      );
      expect(requests).toBe(3);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s is not repeated: its effect is unknown',
    async (method) => {
      const {
        exchanges: [, second],
        requests,
      } = await twice(method, new TextEncoder().encode('{}'));
      expect(second?.fault).toEqual({
        kind: 'connection.reset',
        message: 'the server closed the connection without a response.',
      });
      expect(requests).toBe(2);
    },
  );

  test('a request on a new connection is not repeated', async () => {
    let requests = 0;
    const { fault } = await exchange((socket) => {
      requests += 1;
      socket.destroy();
    });
    expect(fault?.kind).toBe('connection.reset');
    expect(requests).toBe(1);
  });
});

test('an aborted signal aborts requests in flight', async () => {
  const abort = new AbortController();
  const sending = exchange(() => abort.abort(new Error('enough')), get, { signal: abort.signal });
  await expect(sending).rejects.toThrow('enough');
});

test('a request that HTTP/1.1 cannot express is an error of the caller', async () => {
  await expect(exchange(() => {}, { ...get, headers: [['X-Bad', 'a\nb']] })).rejects.toThrow(
    UnsendableRequest,
  );
});
