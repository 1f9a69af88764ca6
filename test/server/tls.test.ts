import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { startMock } from '../../src/index.ts';
import {
  makeCertificate,
  prepareTls,
  type TlsSettings,
} from '../../src/server/tls/tls-settings.ts';
import { fakeMock, makeGate } from './fake-mock.ts';
import { clientOf, exchangeRaw, type RawClient } from './raw-client.ts';
import { serveFake, type Served } from './serve-fake.ts';

const now = new Date();
const ok = 'HTTP/1.1 200 OK';
const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
let settings: TlsSettings;
let folder: string;
beforeAll(async () => {
  settings = await prepareTls({}, '127.0.0.1', now);
  folder = mkdtempSync(join(tmpdir(), 'vouch-tls-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const started: Served[] = [];
const serve = async (...[mock, app, options]: Parameters<typeof serveFake>): Promise<Served> => {
  const served = await serveFake(mock, app, { tls: settings, ...options });
  started.push(served);
  return served;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ listening }) => listening.close()));
});

/** A connection that trusts the authority that the server made, and checks its name. */
async function connectTls(
  port: number,
  servername = 'localhost',
  tls: TlsSettings = settings,
): Promise<RawClient & { readonly socket: TLSSocket }> {
  const socket = connect({ port, host: '127.0.0.1', servername, ca: tls.authority ?? '' });
  await new Promise((resolve, reject) =>
    socket.once('secureConnect', resolve).once('error', reject),
  );
  return { ...clientOf(socket), socket };
}

describe('a server with a self-signed certificate', () => {
  test('answers over HTTPS, and its URL says so', async () => {
    const { listening } = await serve();
    expect(listening.url).toBe(`https://127.0.0.1:${String(listening.port)}`);
    const status = await new Promise((resolve, reject) => {
      httpsRequest(`${listening.url}/things`, { ca: settings.authority ?? '' }, (response) =>
        resolve(response.resume().statusCode),
      )
        .once('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test('tells the mock by which scheme a request came', async () => {
    const { port, mock } = await serve();
    const client = await connectTls(port);
    client.send(
      get('/things') + 'POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}',
    );
    await client.read();
    await client.read();
    client.socket.destroy();
    expect(mock.requests.map(({ scheme }) => scheme)).toEqual(['https', 'https']);
  });

  test.each(['localhost'])('proves to be %s', async (name) => {
    const { port } = await serve();
    const client = await connectTls(port, name);
    expect([client.socket.authorized, client.socket.getPeerCertificate().fingerprint256]).toEqual([
      true,
      settings.fingerprint,
    ]);
    client.socket.destroy();
  });

  test("is good for this machine's names, the host, and nothing else, for a year", async () => {
    const made = await makeCertificate('mock.internal', now);
    const certificate = new X509Certificate(made.cert);
    expect(
      ['localhost', 'mock.internal', 'other.internal'].map(
        (name) => certificate.checkHost(name) !== undefined,
      ),
    ).toEqual([true, true, false]);
    expect(
      ['127.0.0.1', '::1', '192.0.2.1'].map(
        (address) => certificate.checkIP(address) !== undefined,
      ),
    ).toEqual([true, true, false]);
    expect([
      certificate.ca,
      new X509Certificate(made.authority).ca,
      certificate.verify(new X509Certificate(made.authority).publicKey),
    ]).toEqual([false, true, true]);
    expect((Date.parse(certificate.validTo) - now.getTime()) / 86_400_000).toBeCloseTo(365, 0);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now.getTime());
  });

  test('takes an address as an address', async () => {
    const certificate = new X509Certificate((await makeCertificate('192.0.2.7', now)).cert);
    expect(certificate.checkIP('192.0.2.7')).toBe('192.0.2.7');
  });

  test('answers plain HTTP in plain HTTP, with a reason, and hangs up', async () => {
    const { port, mock } = await serve();
    const { client, response } = await exchangeRaw(port, get('/things'));
    expect(response.status).toBe('HTTP/1.1 400 Bad Request');
    expect(response.body.toString()).toContain('This port speaks HTTPS');
    await client.closed;
    expect(mock.requests).toEqual([]);
  });

  test.each([
    ['says nothing and leaves', ''],
    ['begins a handshake that is none', '\x16\x03\x01\x00\x05hello'],
    ['stops in the middle of a handshake', '\x16\x03\x01\x02\x00\x01'],
  ])('survives a client that %s', async (_name, bytes) => {
    const { port } = await serve();
    const socket = connectPlain({ port, host: '127.0.0.1' });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    socket.end(Buffer.from(bytes, 'latin1'));
    await closed;
    const client = await connectTls(port);
    client.send(get('/alive'));
    expect((await client.read()).status).toBe(ok);
    client.socket.destroy();
  });

  test('disconnects a client that never starts a handshake', async () => {
    const { port } = await serve(fakeMock(), {}, { timeouts: { headersMs: 30 } });
    const socket = connectPlain({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesRead).toBe(0);
  });
});

describe('over TLS, as without', () => {
  // Long enough for a handshake on a busy machine, which has the time of a head.
  const timeouts = { headersMs: 300, requestMs: 400, checkMs: 10 };

  test.each([
    ['that says nothing', ''],
    ['that stops in the request line', 'GET / HT'],
    ['that stops in the head', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'that stops in the body',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nonly this',
    ],
    [
      'that stops between two chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
    ],
  ])('a client %s gets 408', async (_name, bytes) => {
    const { port, mock } = await serve(fakeMock(), {}, { timeouts });
    const client = await connectTls(port);
    client.send(bytes);
    const response = await client.read();
    expect(response.status).toBe('HTTP/1.1 408 Request Timeout');
    expect(response.head).toMatch(/^Connection: close$/m);
    await client.closed;
    expect(mock.requests).toEqual([]);
  });

  test.each([
    ['a malformed request', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 501],
    ['two Host headers', get('/', 'Host: b\r\n'), 400],
  ])('%s is refused', async (_name, bytes, status) => {
    const { port } = await serve();
    const client = await connectTls(port);
    client.send(bytes);
    expect((await client.read()).status).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    await client.closed;
  });

  test('requests in flight get a response when the server stops', async () => {
    const gate = makeGate();
    const mock = fakeMock(() => gate.opened.then(() => ({})));
    const { listening, port } = await serve(mock);
    const client = await connectTls(port);
    const idle = await connectTls(port);
    client.send(get('/slow'));
    await mock.asked;
    const closed = listening.close();
    gate.open();
    const response = await client.read();
    expect([response.status, /^Connection: close$/m.test(response.head)]).toEqual([ok, true]);
    await Promise.all([closed, client.closed, idle.closed]);
  });

  test('a handshake in progress does not prevent the server from stopping', async () => {
    const { listening, port } = await serve(
      fakeMock(),
      {},
      { timeouts: { drainMs: 60_000, headersMs: 60_000, requestMs: 60_000 } },
    );
    const socket = connectPlain({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.write(Buffer.from([0x16, 0x03, 0x01]), resolve));
    const client = await connectTls(port);
    await Promise.all([listening.close(), closed, client.closed]);
    expect([socket.destroyed, client.socket.destroyed]).toEqual([true, true]);
  });
});

describe('a given certificate', () => {
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  test('is read from files or texts', async () => {
    const { cert, key } = settings;
    const files = { cert: write('cert.pem', cert), key: write('key.pem', key) };
    for (const certificate of [files, { cert, key }]) {
      expect(await prepareTls({ certificate }, 'localhost', now)).toEqual({
        cert,
        key,
        fingerprint: settings.fingerprint,
      });
    }
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a file that is not there',
      () => prepareTls({ certificate: { cert: 'nowhere.pem', key: settings.key } }, '', now),
      'The certificate nowhere.pem cannot be read: ENOENT. Name a file in PEM format.',
    ],
    [
      'a text that is no certificate',
      () =>
        prepareTls(
          {
            certificate: {
              cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
              key: settings.key,
            },
          },
          '',
          now,
        ),
      'The text that was given holds no certificate. It must begin with ' +
        '-----BEGIN CERTIFICATE-----.',
    ],
    [
      'a text that is no key',
      () => prepareTls({ certificate: { cert: settings.cert, key: settings.cert } }, '', now),
      'The text that was given holds no private key that can be used. It must ' +
        'begin with -----BEGIN PRIVATE KEY-----.',
    ],
    [
      'a file that is no key',
      () =>
        prepareTls(
          { certificate: { cert: settings.cert, key: write('no-key.pem', 'hello') } },
          '',
          now,
        ),
      'FOLDER/no-key.pem holds no private key that can be used. It must begin ' +
        'with -----BEGIN PRIVATE KEY-----.',
    ],
    [
      'a key with a passphrase',
      () => prepareTls({ certificate: { cert: settings.cert, key: locked() } }, '', now),
      'The text that was given holds no private key that can be used. It is ' +
        'locked with a passphrase: give one that is not.',
    ],
    [
      'a key of another certificate',
      async () =>
        prepareTls(
          { certificate: { cert: settings.cert, key: (await makeCertificate('', now)).key } },
          '',
          now,
        ),
      'The key is not that of the certificate. Give the two that were made ' +
        "together; of a chain, the server's own certificate comes first.",
    ],
    [
      'a certificate that ran out',
      () => prepareTls({ certificate: settings }, '', new Date('2200-01-01T00:00:00Z')),
      'The certificate ran out on DATE. Renew it, or leave it out: then one is made.',
    ],
    [
      'a directory to write to',
      () => prepareTls({ caFile: folder }, '', now),
      'The authority cannot be written: FOLDER cannot be written: EISDIR. It ' +
        'is a directory. Name a file in it.',
    ],
    [
      'an authority to write for a certificate that is given',
      () => prepareTls({ certificate: settings, caFile: 'ca.pem' }, '', now),
      'A certificate that is given has its own authority, so there is none to ' +
        'write. Leave one of the two out.',
    ],
    [
      'an authority of clients that is none',
      () => prepareTls({ clientCa: 'nowhere.pem' }, '', now),
      'The authority of clients nowhere.pem cannot be read: ENOENT. Name a file in PEM format.',
    ],
  ])('is refused: %s', async (_name, attempt, message) => {
    const failure = await failureOf(attempt());
    expect(failure.code).toBe('config-invalid');
    expect(
      `${failure.message} ${failure.hint ?? ''}`
        .replace(folder, 'FOLDER')
        .replace(/ran out on .*?\./, 'ran out on DATE.'),
    ).toBe(message);
  });

  test('that is made is written where clients are to find what they trust', async () => {
    const file = join(folder, 'ca.pem');
    const { authority, caFile } = await prepareTls({ caFile: file }, 'localhost', now);
    expect([readFileSync(file, 'utf8'), caFile]).toEqual([authority, file]);
  });
});

describe('a contract with mutual TLS', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Guarded', version: '1' },
    security: [{ tls: [] }],
    paths: {
      '/guarded': {
        get: {
          operationId: 'getGuarded',
          responses: { 200: { description: 'in' }, 401: { description: 'out' } },
        },
      },
    },
    components: { securitySchemes: { tls: { type: 'mutualTLS' } } },
  };

  test('accepts verified clients, and refuses others with the reason', async () => {
    const clients = await makeClientCertificate();
    const mock = await startMock({
      contract: document,
      config: false,
      tls: { clientCa: clients.authority },
    });
    const stranger = await makeCertificate('', now);
    const ask = (client: { readonly cert?: string; readonly key?: string }): Promise<string> =>
      new Promise((resolve, reject) => {
        httpsRequest(
          `${mock.url}/guarded`,
          { ca: mock.tls?.authority ?? '', ...client },
          (response) => {
            let text = '';
            response
              .on('data', (chunk: Buffer) => (text += chunk.toString()))
              .on('end', () =>
                resolve(
                  (
                    `${String(response.statusCode)} ` + (/"detail":"([^"]*)"/.exec(text)?.[1] ?? '')
                  ).trim(),
                ),
              );
          },
        )
          .once('error', reject)
          .end();
      });
    expect(await ask(clients)).toBe('200');
    expect(await ask({})).toBe('401 A client certificate is required. Connect with one.');
    expect(await ask({ cert: stranger.cert, key: stranger.key })).toMatch(
      /^401 The client certificate is not trusted here \([A-Z_]+\)\. Connect with one that the authority of --tls-client-ca has signed\.$/,
    );
    await mock.close();
  });

  test('accepts every client if no certificate is requested', async () => {
    const mock = await startMock({ contract: document, config: false });
    expect((await fetch(`${mock.url}/guarded`)).status).toBe(200);
    await mock.close();
  });
});

/**
 * A certificate that clients may show (RFC 5280, section 4.2.1.12), and the authority that signed
 * it.
 */
async function makeClientCertificate(): Promise<{
  readonly cert: string;
  readonly key: string;
  readonly authority: string;
}> {
  const authority = await generate([{ name: 'commonName', value: 'clients' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const client = await generate([{ name: 'commonName', value: 'client' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', clientAuth: true },
    ],
  });
  return { cert: client.cert, key: client.private, authority: authority.cert };
}

function locked(): string {
  return createPrivateKey(settings.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
}

async function failureOf(attempt: Promise<unknown>): Promise<VouchError> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof VouchError) return failure;
  throw new Error(`expected a VouchError, got ${String(failure)}`);
}
