import {
  type AddressInfo,
  connect,
  createServer as createPlain,
  type Server,
  type Socket,
} from 'node:net';
import tls, { createServer as createSecure } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import type { Transport } from '../../../../src/check/transport/send.ts';
import {
  openTransport,
  type TransportOptions,
} from '../../../../src/check/transport/wire/wire-transport.ts';
import { VouchError } from '../../../../src/errors.ts';
import { emptyBody, type HttpRequest } from '../../../../src/http/message.ts';
import { makeCertificate } from '../../../../src/server/tls/tls-settings.ts';
import { chaosContract } from '../../chaos/chaos-contract.ts';
import { decent, key } from '../../chaos/chaos-server.ts';

const opened: Server[] = [];
const transports: Transport[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  for (const server of opened.splice(0)) server.close();
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  opened.push(server);
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const get: HttpRequest = {
  method: 'GET',
  target: '/v1/things',
  headers: [['X-Api-Key', key]],
  body: emptyBody,
};

function open(options: Partial<TransportOptions> = {}): Transport {
  const transport = openTransport({ timeoutMs: 5_000, connections: 2, ...options });
  transports.push(transport);
  return transport;
}

function send(baseUrl: string, options: Partial<TransportOptions> = {}): Promise<Exchange> {
  return open(options).send(baseUrl, get, new AbortController().signal);
}

/** A server that writes every request down, and answers decently. */
function recorder(requests: string[]): Server {
  return createPlain((socket) => {
    socket.on('data', (data) => {
      requests.push(data.toString('latin1'));
      socket.write(decent);
    });
  });
}

const addressOf = (address: string) => async () => [
  { address, family: address.includes(':') ? 6 : 4 },
];

describe('the address of a name is checked before any request', () => {
  test.each([
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    '100.100.100.200',
    '::ffff:169.254.169.254',
  ])('%s is refused', async (address) => {
    const sending = send('http://api.example', { findAddresses: addressOf(address) });
    await expect(sending).rejects.toThrow(VouchError);
    await expect(sending).rejects.toMatchObject({
      code: 'refused-for-safety',
      message:
        `api.example leads to ${address}, a link-local or metadata address, at ` +
        'which clouds give away credentials.',
    });
  });

  test('one bad address among good ones is enough', async () => {
    const findAddresses = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ];
    await expect(send('http://api.example', { findAddresses })).rejects.toMatchObject({
      code: 'refused-for-safety',
    });
  });

  test(
    'a name that leads elsewhere after it was looked at is refused then: it ' +
      'is asked for each connection, and that answer is used',
    async () => {
      const requests: string[] = [];
      const port = await listen(
        createPlain((socket) =>
          socket.on('data', (data: Buffer) => {
            requests.push(data.toString('latin1'));
            socket.end(decent);
          }),
        ),
      );
      const answers = ['127.0.0.1', '169.254.169.254'];
      const transport = open({
        findAddresses: async () => [{ address: answers.shift() ?? '169.254.169.254', family: 4 }],
      });
      const signal = new AbortController().signal;
      expect(
        (await transport.send(`http://api.example:${String(port)}`, get, signal)).response?.status,
      ).toBe(200);
      await expect(
        transport.send(`http://api.example:${String(port)}`, { ...get, method: 'POST' }, signal),
      ).rejects.toMatchObject({ code: 'refused-for-safety' });
      expect(requests).toHaveLength(1);
      expect(requests[0]).toContain(`\r\nHost: api.example:${String(port)}\r\n`);
    },
  );

  test('a run to a refused address ends with a usage error', async () => {
    const transport = open({ findAddresses: addressOf('169.254.169.254') });
    const running = checkTarget({
      url: 'http://api.example/v1',
      contract: chaosContract(),
      token: key,
      mode: 'read-only',
      send: transport.send,
    });
    await expect(running).rejects.toMatchObject({ code: 'refused-for-safety' });
  });

  test('any other address is allowed', async () => {
    const port = await listen(recorder([]));
    expect(
      (await send(`http://api.example:${String(port)}`, { findAddresses: addressOf('127.0.0.1') }))
        .response?.status,
    ).toBe(200);
  });
});

describe('an unreachable target has its reason:', () => {
  test('the name is not known', async () => {
    const findAddresses = async (): Promise<never> =>
      Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect((await send('http://nowhere.example', { findAddresses })).fault).toEqual({
      kind: 'dns.failed',
      message: 'the name of the host is not known (ENOTFOUND).',
    });
  });

  test('connection refused', async () => {
    expect((await send('http://127.0.0.1:1')).fault).toEqual({
      kind: 'connection.refused',
      message: 'connection refused.',
    });
  });

  test('the proxy is unreachable, leads nowhere or requires credentials', async () => {
    expect((await send('http://127.0.0.1:2', { proxy: 'http://127.0.0.1:1' })).fault?.kind).toBe(
      'proxy.failed',
    );
    const port = await listen(
      createPlain((socket) =>
        socket.on('data', () => socket.end('HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n')),
      ),
    );
    expect(
      (await send('https://api.example', { proxy: `http://127.0.0.1:${String(port)}` })).fault,
    ).toEqual({
      kind: 'proxy.failed',
      message: 'the proxy answered 407 to CONNECT api.example:443.',
    });
    expect(
      (await send('http://api.example', { proxy: `http://127.0.0.1:${String(port)}` })).fault,
    ).toEqual({ kind: 'proxy.failed', message: 'the proxy requires a credential (407).' });
  });

  test('TLS is missing or aborted', async () => {
    const port = await listen(createPlain((socket) => socket.once('data', () => socket.destroy())));
    expect((await send(`https://127.0.0.1:${String(port)}`)).fault?.kind).toBe('tls.failed');
    const plain = await listen(recorder([]));
    expect((await send(`https://127.0.0.1:${String(plain)}`)).fault?.kind).toBe('tls.failed');
  });

  test('a proxy that is not a URL is a usage error', () => {
    expect(() => open({ proxy: 'socks://x' })).toThrow(VouchError);
  });
});

describe('connections with TLS', () => {
  async function secure(
    alpn: readonly string[] = ['http/1.1'],
  ): Promise<{ readonly port: number; readonly names: string[] }> {
    const pems = await generate([{ name: 'commonName', value: 'api.example' }], {
      keySize: 2048,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'api.example' }] }],
    });
    const names: string[] = [];
    const server = createSecure(
      {
        key: pems.private,
        cert: pems.cert,
        ALPNProtocols: [...alpn],
        SNICallback: (name, callback) => {
          names.push(name);
          callback(null);
        },
      },
      (socket) => socket.on('data', () => socket.write(decent)),
    );
    server.on('tlsClientError', () => {});
    return { port: await listen(server), names };
  }

  test('an untrusted certificate is refused, and the server name is sent (SNI)', async () => {
    const { port, names } = await secure();
    const { fault } = await send(`https://api.example:${String(port)}`, {
      findAddresses: addressOf('127.0.0.1'),
    });
    expect(fault).toEqual({
      kind: 'tls.failed',
      message: 'the TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
    });
    expect(names).toEqual(['api.example']);
  });

  test('a server that supports only HTTP/2 is refused', async () => {
    const { port } = await secure(['h2']);
    expect(
      (await send(`https://api.example:${String(port)}`, { findAddresses: addressOf('127.0.0.1') }))
        .fault?.kind,
    ).toBe('tls.failed');
  });
});

describe('connections through a proxy', () => {
  test('without TLS gets the whole URL, and its own credential', async () => {
    const requests: string[] = [];
    const port = await listen(recorder(requests));
    const { response } = await send('http://api.example:8080', {
      proxy: `http://me:secret@127.0.0.1:${String(port)}`,
    });
    expect(response?.status).toBe(200);
    expect(requests[0]).toMatch(
      /^GET http:\/\/api\.example:8080\/v1\/things HTTP\/1\.1\r\nHost: api\.example:8080\r\n/,
    );
    expect(requests[0]).toContain(
      `\r\nProxy-Authorization: Basic ${Buffer.from('me:secret').toString('base64')}\r\n`,
    );
  });

  test.skipIf(typeof tls.setDefaultCACertificates !== 'function')(
    'leads a whole request through a tunnel to a target over TLS, and reads ' +
      'nothing of it (before Node 24.5 no root can be added while it runs)',
    async () => {
      const made = await makeCertificate('127.0.0.1', new Date());
      const requests: string[] = [];
      const target = await listen(
        createSecure({ key: made.key, cert: made.cert, ALPNProtocols: ['http/1.1'] }, (socket) =>
          socket.on('data', (data: Buffer) => {
            requests.push(data.toString('latin1'));
            socket.write(decent);
          }),
        ),
      );
      const asked: string[] = [];
      const proxy = await listen(
        createPlain((socket) =>
          socket.once('data', (data) => {
            asked.push(data.toString('latin1'));
            const onwards = connect(target, '127.0.0.1', () =>
              socket.write('HTTP/1.1 200 Connected\r\n\r\n'),
            );
            onwards.on('error', () => socket.destroy());
            socket.pipe(onwards).pipe(socket);
          }),
        ),
      );
      const before = tls.getCACertificates('default');
      tls.setDefaultCACertificates([...before, made.authority]);
      try {
        const { response, fault } = await send(`https://localhost:${String(target)}`, {
          proxy: `http://me:secret@127.0.0.1:${String(proxy)}`,
        });
        expect([fault, response?.status]).toEqual([undefined, 200]);
      } finally {
        tls.setDefaultCACertificates(before);
      }
      expect(asked).toEqual([
        `CONNECT localhost:${String(target)} HTTP/1.1\r\nHost: ` +
          `localhost:${String(target)}\r\nProxy-Authorization: Basic ` +
          `${Buffer.from('me:secret').toString('base64')}\r\n\r\n`,
      ]);
      expect(requests[0]).toMatch(/^GET \/v1\/things HTTP\/1\.1\r\n/);
      expect(requests.join('')).not.toContain('Proxy-Authorization');
    },
  );

  test('of the environment is not used', async () => {
    const requests: string[] = [];
    const [proxy, target] = [await listen(recorder(requests)), await listen(recorder([]))];
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${String(proxy)}`;
    try {
      expect((await send(`http://127.0.0.1:${String(target)}`)).response?.status).toBe(200);
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    }
    expect(requests).toEqual([]);
  });
});

describe('pooled connections', () => {
  test('are reused up to the limit, and further requests wait', async () => {
    let sockets = 0;
    const server = recorder([]);
    server.on('connection', () => {
      sockets += 1;
    });
    const port = await listen(server);
    const transport = open({ connections: 3 });
    const signal = new AbortController().signal;
    const exchanges = await Promise.all(
      Array.from({ length: 50 }, () =>
        transport.send(`http://127.0.0.1:${String(port)}/v1`, get, signal),
      ),
    );
    expect(exchanges.map(({ response }) => response?.status)).toEqual(exchanges.map(() => 200));
    expect(sockets).toBe(3);
  });

  test(
    'a server that closes after each answer, and says nothing of it, loses ' +
      'no request that changes something',
    async () => {
      const requests: string[] = [];
      const port = await listen(
        createPlain((socket) =>
          socket.on('data', (data: Buffer) => {
            requests.push(data.toString('latin1'));
            socket.end(decent);
          }),
        ),
      );
      const transport = open({ connections: 1 });
      const signal = new AbortController().signal;
      const post: HttpRequest = { ...get, method: 'POST', body: new TextEncoder().encode('{}') };
      const exchanges: Exchange[] = [];
      for (let count = 0; count < 20; count += 1)
        exchanges.push(await transport.send(`http://127.0.0.1:${String(port)}/v1`, post, signal));
      expect(exchanges.map(({ response }) => response?.status)).toEqual(exchanges.map(() => 200));
      expect(requests).toHaveLength(20);
    },
  );

  test('late bytes are recorded with the response that they follow', async () => {
    let say = (_text: string): void => {};
    const port = await listen(
      createPlain((socket) => {
        say = (text) => void socket.write(text);
        socket.on('data', () => socket.write(decent));
      }),
    );
    const transport = open({ connections: 1 });
    const signal = new AbortController().signal;
    const url = `http://127.0.0.1:${String(port)}/v1`;
    const first = await transport.send(url, get, signal);
    expect(first.breaches).toBeUndefined();
    say('and more');
    const second = await transport.send(url, get, signal);
    expect(first.breaches?.map(({ kind }) => kind)).toEqual(['framing.extra-bytes']);
    expect(second).toMatchObject({ response: { status: 200 } });
    expect(second.breaches).toBeUndefined();
  });

  test('late bytes on a connection do not block a request that must not be repeated', async () => {
    const seen = new WeakSet<Socket>();
    const port = await listen(
      createPlain((socket) =>
        socket.on('data', () => {
          socket.write(seen.has(socket) ? `and more${decent.toString('latin1')}` : decent);
          seen.add(socket);
        }),
      ),
    );
    const transport = open({ connections: 1 });
    const signal = new AbortController().signal;
    const url = `http://127.0.0.1:${String(port)}/v1`;
    const first = await transport.send(url, get, signal);
    const second = await transport.send(url, { ...get, method: 'POST' }, signal);
    expect(second).toMatchObject({ response: { status: 200 } });
    expect(first.breaches?.map(({ kind }) => kind)).toEqual(['framing.extra-bytes']);
  });

  test('a response that is not HTTP is attributed to its request', async () => {
    const seen = new WeakSet<Socket>();
    const port = await listen(
      createPlain((socket) =>
        socket.on('data', () => {
          if (seen.has(socket)) socket.end('220 mail ready');
          else socket.write(decent);
          seen.add(socket);
        }),
      ),
    );
    const transport = open({ connections: 1 });
    const signal = new AbortController().signal;
    const url = `http://127.0.0.1:${String(port)}/v1`;
    const first = await transport.send(url, get, signal);
    expect((await transport.send(url, { ...get, method: 'POST' }, signal)).fault?.kind).toBe(
      'protocol.not-http',
    );
    expect(first.breaches).toBeUndefined();
  });

  test('a signal aborts running and waiting requests, and nothing else', async () => {
    const port = await listen(createPlain(() => {}));
    const transport = open({ connections: 1 });
    const cut = new AbortController();
    const url = `http://127.0.0.1:${String(port)}/v1`;
    const sending = [transport.send(url, get, cut.signal), transport.send(url, get, cut.signal)];
    const others = transport
      .send(url, get, AbortSignal.timeout(60_000))
      .catch((error: unknown) => error);
    cut.abort(new Error('enough'));
    const results = await Promise.allSettled(sending);
    expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual([
      'Error: enough',
      'Error: enough',
    ]);
    await transport.close();
    expect(String(await others)).toBe('Error: the transport was closed');
    await expect(transport.send(url, get, cut.signal)).rejects.toThrow('enough');
  });
});
