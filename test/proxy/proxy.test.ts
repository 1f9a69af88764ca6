import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import { judgeTraffic } from '../../src/check/traffic/judge-traffic.ts';
import { readHar } from '../../src/check/traffic/read-har.ts';
import { loadContract } from '../../src/index.ts';
import { startMock } from '../../src/library/start-mock.ts';
import {
  type ProxyExchange,
  type RunningProxy,
  startProxy,
  type StartProxyOptions,
} from '../../src/library/start-proxy.ts';
import { pretty } from '../../src/report/pretty.ts';
import { makeCertificate } from '../../src/server/tls/tls-settings.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
              },
            },
          },
          400: { $ref: '#/components/responses/Error' },
        },
      },
      post: {
        operationId: 'createThing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
        },
        responses: {
          201: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          400: { $ref: '#/components/responses/Error' },
        },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
        ],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          404: { $ref: '#/components/responses/Error' },
        },
      },
    },
    '/rate': {
      get: {
        operationId: 'readRate',
        parameters: [{ name: 'of', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['rate'],
                  properties: { rate: { type: 'number' } },
                },
              },
            },
          },
        },
      },
    },
    '/file': {
      post: {
        operationId: 'upload',
        requestBody: { content: { 'application/octet-stream': {} } },
        responses: { 204: { description: 'taken' } },
      },
    },
  },
  components: {
    responses: {
      Error: {
        description: 'no',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['message'],
              properties: { message: { type: 'string' } },
            },
          },
        },
      },
    },
    schemas: {
      NewThing: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength: 20 } },
      },
      Thing: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
    },
  },
};

/** The pretty report of what a run reports. */
function startedReport(): { take(event: RunEvent): void; text(): string } {
  const write = pretty.begin({ color: false, width: 80, verbose: false });
  let said = '';
  return { take: (event) => void (said += write(event)), text: () => said };
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listening(server: Server | ReturnType<typeof createPlainServer>): Promise<number> {
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

/** A service and a proxy before it; `seen` gets what the proxy says of each exchange. */
interface Setting {
  readonly proxy: RunningProxy;
  readonly url: string;
  readonly service: string;
  readonly seen: ProxyExchange[];
  readonly notes: string[];
}

async function proxied(
  listener: RequestListener,
  options: Partial<StartProxyOptions> = {},
): Promise<Setting> {
  const port = await listening(createServer(listener));
  return before(`http://127.0.0.1:${String(port)}/v1`, options);
}

async function before(service: string, options: Partial<StartProxyOptions> = {}): Promise<Setting> {
  const [seen, notes]: [ProxyExchange[], string[]] = [[], []];
  const proxy = await startProxy({
    url: service,
    contract: document,
    config: false,
    onExchange: (exchange) => seen.push(exchange),
    onNote: (note) => notes.push(note),
    ...options,
  });
  closers.push(() => proxy.close());
  return { proxy, url: proxy.url, service, seen, notes };
}

const json = { 'content-type': 'application/json' };

/** A service of which every answer conforms, but for `GET /things?limit=7`. */
const things: RequestListener = (incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://x');
  const answer = (status: number, value: unknown): void =>
    void response.writeHead(status, json).end(JSON.stringify(value));
  if (incoming.method === 'POST')
    return void text(incoming).then((body) => {
      const { name } = JSON.parse(body) as { name?: string };
      answer(
        name === undefined ? 400 : 201,
        name === undefined ? { message: 'no' } : { id: 9, name },
      );
    });
  if (pathname === '/v1/things')
    return answer(200, [{ id: searchParams.get('limit') === '7' ? 'seven' : 1, name: 'one' }]);
  if (pathname === '/v1/things/1') return answer(200, { id: 1, name: 'one' });
  if (pathname === '/v1/rate')
    return answer(200, { rate: searchParams.get('of') === 'a' ? 1.5 : 2 });
  answer(404, { message: `nothing at ${pathname}` });
};

async function get(url: string): Promise<{ status: number; headers: Headers; body: string }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Sends bytes on a bare socket, and returns what came when it ends or `enough` came. */
function converse(url: string, sent: readonly string[], enough: RegExp): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      for (const part of sent) socket.write(part, 'latin1');
    });
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

describe('exchanges are judged', () => {
  test('a line says what the request and what the response violate', async () => {
    const report = startedReport();
    const { proxy, url, seen } = await proxied(things, { onEvent: report.take });
    expect(report.text()).toContain('\nvouch proxy http://127.0.0.1:');
    expect(report.text()).toContain('proxy (only clients send)');
    for (const path of ['/things', '/things?limit=0', '/things?limit=7', '/things/5', '/other'])
      await get(url + path);
    await expect.poll(() => seen.length).toBe(5);
    const [good, request_, response, missing, other] = seen;
    expect(good).toMatchObject({ operation: 'listThings', status: 200, response: [] });
    expect(good?.request).toBeUndefined();
    expect(request_?.request).toBe('limit must be 1 or more');
    expect(response?.response.map(({ check }) => check)).toEqual(['body-matches-schema']);
    expect(missing).toMatchObject({ status: 404, response: [] });
    expect(other).toMatchObject({ unjudged: 'not in the contract' });
    expect(proxy.findings.map(({ check, severity }) => `${severity} ${check}`)).toEqual([
      'error body-matches-schema',
      'warning invalid-refused',
    ]);
    const { verdict, reason } = proxy.report().summary;
    expect(verdict).toBe('failed');
    expect(reason).toContain('4 of 5 recorded exchanges were judged');
    expect(reason).toContain('Requests that break the contract: 1.');
  });

  test('the findings equal those of check for the recording of the same exchanges', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-proxy-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const { proxy, url } = await proxied(things, { record: folder });
    for (const path of ['/things', '/things?limit=7', '/things/1', '/things/5', '/rate?of=a'])
      await get(url + path);
    await fetch(`${url}/things`, { method: 'POST', headers: json, body: '{"name":"two"}' });
    await fetch(`${url}/things`, { method: 'POST', headers: json, body: '{}' });
    await proxy.close();
    const traffic = readHar(readFileSync(join(folder, 'traffic.har')), 'traffic.har');
    expect(traffic.exchanges).toHaveLength(7);
    const checked: string[] = [];
    for await (const event of judgeTraffic({ contract: await loadContract(document), traffic }))
      if (event.type === 'finding-reported') checked.push(event.finding.id);
    expect(proxy.findings.map(({ id }) => id)).toEqual(checked);
    expect(checked.length).toBeGreaterThan(0);
  });

  test('compressed and chunked responses, HEAD, 204 and 304 are read as they are', async () => {
    const { proxy, url, seen } = await proxied((incoming, response) => {
      const coding = incoming.headers['x-coding'];
      if (coding === 'gzip')
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync('[]'));
      else if (coding === '304') response.writeHead(304, { etag: '"a"' }).end();
      else if (incoming.method === 'POST') response.writeHead(204).end();
      else if (incoming.method === 'HEAD') response.writeHead(200, json).end();
      else {
        response.writeHead(200, { ...json, trailer: 'X-Sum' });
        response.write('[]');
        response.addTrailers({ 'X-Sum': '1' });
        response.end();
      }
    });
    const ask = (method: string, path: string, coding = ''): Promise<Response> =>
      fetch(url + path, { method, headers: { 'x-coding': coding, 'if-none-match': '"a"' } });
    expect(await (await ask('GET', '/things', 'gzip')).text()).toBe('[]');
    expect((await ask('HEAD', '/things')).status).toBe(200);
    expect((await ask('POST', '/file')).status).toBe(204);
    expect((await ask('GET', '/things', '304')).status).toBe(304);
    expect(await (await ask('GET', '/things')).text()).toBe('[]');
    await expect.poll(() => seen.length).toBe(5);
    expect(seen.flatMap(({ fault }) => fault ?? [])).toEqual([]);
    expect(proxy.findings.filter(({ check }) => check === 'transport-sound')).toEqual([]);
  });

  test('--headers writes the verdict on the response, and nothing else changes', async () => {
    const { url, service } = await proxied(things, { headers: true });
    const verdictOf = async (path: string): Promise<(string | null)[]> => {
      const [one, two] = await Promise.all([get(url + path), get(service + path)]);
      expect(one.body).toBe(two.body);
      return ['vouch-request', 'vouch-response'].map((name) => one.headers.get(name));
    };
    expect(await verdictOf('/things')).toEqual(['conforms', 'conforms']);
    expect(await verdictOf('/things?limit=7')).toEqual([
      'conforms',
      'violates; body-matches-schema',
    ]);
    expect((await verdictOf('/things?limit=0'))[0]).toBe('violates; limit must be 1 or more');
    expect((await verdictOf('/other'))[0]).toBe('not judged; undocumented');
  });
});

describe('bytes pass through as they are', () => {
  test('a request: order, case, duplicates, chunk extensions and trailers', async () => {
    const received: string[] = [];
    const port = await listening(
      createPlainServer((socket) => {
        socket.on('data', (bytes) => {
          received.push(bytes.toString('latin1'));
          if (received.join('').endsWith('X-T: 1\r\n\r\n'))
            socket.end('HTTP/1.1 204 No Content\r\nx-Odd:  a \r\n\r\n');
        });
      }),
    );
    const { url } = await before(`http://127.0.0.1:${String(port)}/v1`);
    const head =
      'POST /v1/file?a=%zz HTTP/1.1\r\nhOST: Some.Host\r\nX-B:1\r\nx-a: 2\r\nX-B:  3 \r\n' +
      'Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n' +
      'Connection: TE\r\nTrailer: X-T\r\n\r\n';
    const parts = [head, '3;ext="a;b"\r\nabc\r\n', '0\r\nX-T: 1\r\n\r\n'];
    expect(await converse(url, parts, /never/)).toBe(
      'HTTP/1.1 204 No Content\r\nx-Odd:  a \r\n\r\n',
    );
    expect(received.join('')).toBe(parts.join(''));
  });

  test('pipelined requests and a reused connection are told apart', async () => {
    const { url, seen } = await proxied(things);
    const ask = (path: string): string => `GET /v1${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const got = await converse(
      url,
      [ask('/things') + ask('/things/1') + ask('/things/5')],
      /nothing at/,
    );
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
    await expect
      .poll(() => seen.map(({ operation }) => operation))
      .toEqual(['listThings', 'getThing', 'getThing']);
  });

  test('100-continue, then an upload of 50 MiB that streams', async () => {
    let peak = 0;
    const port = await listening(
      createServer().on('checkContinue', (incoming, response) => {
        response.writeContinue();
        let size = 0;
        incoming.on('data', (bytes: Buffer) => (size += bytes.length));
        incoming.on('end', () => {
          peak = size;
          response.writeHead(204).end();
        });
      }),
    );
    const { url, seen } = await before(`http://127.0.0.1:${String(port)}/v1`);
    const size = 50 * 1024 * 1024;
    const status = await new Promise<number>((resolve, reject) => {
      const sending = request(`${url}/file`, {
        method: 'POST',
        headers: {
          expect: '100-continue',
          'content-length': size,
          'content-type': 'application/octet-stream',
        },
      });
      const piece = Buffer.alloc(1024 * 1024, 7);
      let left = size;
      const send = (): void => {
        if (left === 0) return void sending.end();
        left -= piece.length;
        if (sending.write(piece)) setImmediate(send);
        else sending.once('drain', send);
      };
      sending.on('continue', send);
      sending.on('error', reject);
      sending.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    });
    expect(status).toBe(204);
    expect(peak).toBe(size);
    await expect.poll(() => seen[0]?.unjudged).toBe('with a request larger than vouch reads');
  });

  test('an upgrade to WebSocket: frames in both directions, and it is said', async () => {
    const port = await listening(
      createServer().on('upgrade', (_incoming, socket: Socket) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
        );
        socket.pipe(socket);
      }),
    );
    const { url, seen } = await before(`http://127.0.0.1:${String(port)}/v1`);
    const frame = '\x81\x85\x01\x02\x03\x04igohn';
    const got = await new Promise<string>((resolve) => {
      const { hostname, port: own } = new URL(url);
      let received = '';
      const socket = connect(Number(own), hostname, () =>
        socket.write(
          'GET /v1/things HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
        ),
      );
      socket.on('data', (bytes) => {
        const first = received === '';
        received += bytes.toString('latin1');
        if (first) socket.write(frame, 'latin1');
        if (received.endsWith(frame)) {
          socket.destroy();
          resolve(received);
        }
      });
    });
    expect(got).toMatch(/^HTTP\/1\.1 101 /);
    await expect.poll(() => seen[0]?.unjudged).toBe('upgraded to another protocol');
  });

  test('events of a stream arrive one by one, and its header is judged', async () => {
    let send = (_event: string): void => {};
    const { url, seen } = await proxied((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      send = (event) => void response.write(event);
    });
    const leaving = new AbortController();
    const response = await fetch(`${url}/things`, { signal: leaving.signal });
    const reader = response.body?.getReader();
    const next = async (): Promise<string> =>
      Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await next()).toBe('data: 1\n\n');
    send('data: 2\n\n');
    expect(await next()).toBe('data: 2\n\n');
    leaving.abort();
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toMatchObject({ operation: 'listThings', status: 200 });
  });

  test('a client that leaves takes its request to the service with it', async () => {
    let closed = false;
    const { url, seen } = await proxied((incoming) => {
      incoming.on('close', () => (closed = true));
    });
    const leaving = new AbortController();
    const asked = fetch(`${url}/things`, { signal: leaving.signal }).catch(() => 'left');
    setTimeout(() => leaving.abort(), 50);
    expect(await asked).toBe('left');
    await expect.poll(() => closed).toBe(true);
    await expect.poll(() => seen[0]?.unjudged).toBe('that the client ended');
  });

  test('a response that never ends is named while it is open', async () => {
    const { url, notes } = await proxied((_incoming, response) => void response.write('['), {
      timeoutMs: 50,
    });
    const leaving = new AbortController();
    await fetch(`${url}/things`, { signal: leaving.signal });
    await expect
      .poll(() => notes)
      .toEqual(['GET /v1/things: the response is not complete after 0.05 s.']);
    leaving.abort();
  });

  test('TLS to the service: refused, with its CA, and with insecure', async () => {
    const { cert, key, authority } = await makeCertificate('127.0.0.1', new Date());
    const port = await listening(createTlsServer({ cert, key }, things));
    const service = `https://127.0.0.1:${String(port)}/v1`;
    const [strict, trusting, careless] = [
      await before(service),
      await before(service, { ca: authority }),
      await before(service, { insecure: true }),
    ];
    const refused = await get(`${strict.url}/things`);
    expect(refused.status).toBe(502);
    expect(refused.headers.get('vouch-proxy')).toBe('unreachable');
    expect(refused.body).toContain('TLS');
    expect((await get(`${trusting.url}/things`)).status).toBe(200);
    expect((await get(`${careless.url}/things`)).status).toBe(200);
  });

  test('the service sees the host of the client, or its own', async () => {
    const hosts: (string | undefined)[] = [];
    const listener: RequestListener = (incoming, response) => {
      hosts.push(incoming.headers.host);
      response.writeHead(200, json).end('[]');
    };
    const { url, service } = await proxied(listener);
    await get(`${url}/things`);
    const other = await before(service, { hostHeader: 'service' });
    await get(`${other.url}/things`);
    expect(hosts).toEqual([new URL(url).host, new URL(service).host]);
  });
});

describe('requests that violate the contract, with --enforce', () => {
  test('are answered with the error of the contract, and do not reach the service', async () => {
    const reached: string[] = [];
    const { url, seen } = await proxied(
      (incoming, response) => {
        reached.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
        things(incoming, response);
      },
      { enforce: true },
    );
    const send = (body: string): Promise<Response> =>
      fetch(`${url}/things`, { method: 'POST', headers: json, body });
    const bad = await send('{"name":5}');
    expect(bad.status).toBe(400);
    expect(bad.headers.get('vouch-proxy')).toBe('refusal');
    expect(((await bad.json()) as { message: string }).message).toContain('name');
    expect((await get(`${url}/things?limit=0`)).status).toBe(400);
    expect((await send('{"name":"good"}')).status).toBe(201);
    await get(`${url}/other`);
    expect(reached).toEqual(['POST /v1/things', 'GET /v1/other']);
    await expect.poll(() => seen[0]?.unjudged).toContain('turned away: ');
  });
});

describe('what the service does not have, with --fallback mock', () => {
  test('is answered by the mock with its records; a missing record is not', async () => {
    const { proxy, url, seen } = await proxied(
      (incoming, response) => {
        const { pathname } = new URL(incoming.url ?? '', 'http://x');
        if (incoming.method === 'POST') response.writeHead(501).end();
        else if (pathname === '/v1/things/77')
          response.writeHead(404, json).end('{"message":"no such thing"}');
        else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Cannot GET</h1>');
      },
      { fallback: 'mock' },
    );
    const made = await fetch(`${url}/things`, {
      method: 'POST',
      headers: json,
      body: '{"name":"new"}',
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('vouch-proxy')).toBe('mock');
    const { id } = (await made.json()) as { id: number };
    expect(JSON.parse((await get(`${url}/things/${String(id)}`)).body)).toEqual({
      id,
      name: 'new',
    });
    const missing = await get(`${url}/things/77`);
    expect([missing.headers.get('vouch-proxy'), missing.body]).toEqual([
      null,
      '{"message":"no such thing"}',
    ]);
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[0]?.unjudged).toBe('answered by the mock: the service answered 501');
    expect(proxy.report().summary.reason).toContain('2 exchanges answered by the mock.');
  });

  test('answers while no service runs', async () => {
    const { url, seen } = await before('http://127.0.0.1:9/v1', { fallback: 'mock' });
    const answer = await get(`${url}/things`);
    expect([answer.status, answer.headers.get('vouch-proxy')]).toEqual([200, 'mock']);
    await expect.poll(() => seen[0]?.unjudged).toContain('connection refused');
  });

  test('without it, no connection is a 502, and the report is inconclusive', async () => {
    const { proxy, url } = await before('http://127.0.0.1:9/v1');
    const answer = await get(`${url}/things`);
    expect(answer.status).toBe(502);
    expect(answer.body).toContain('connection refused');
    expect(proxy.report().summary.verdict).toBe('inconclusive');
  });
});

describe('a recording', () => {
  test('is played by a mock without the service, and has no secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-proxy-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const { proxy, url } = await proxied(things, { record: folder });
    const secret = 'Bearer very-secret-token-0815';
    for (const path of ['/things', '/things/1', '/rate?of=a', '/rate?of=b'])
      await (await fetch(url + path, { headers: { authorization: secret } })).text();
    await fetch(`${url}/things`, { method: 'POST', headers: json, body: '{"name":"two"}' });
    await proxy.close();
    for (const name of ['traffic.har', 'fixtures/recorded.json', 'scenarios/recorded.yaml'])
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain('0815');
    const mock = await startMock({
      contract: document,
      config: false,
      fixtures: join(folder, 'fixtures'),
      scenarios: join(folder, 'scenarios'),
      scenario: 'recorded',
    });
    closers.push(() => mock.close());
    expect(JSON.parse((await get(`${mock.url}/things`)).body)).toEqual([{ id: 1, name: 'one' }]);
    expect(JSON.parse((await get(`${mock.url}/rate?of=a`)).body)).toEqual({ rate: 1.5 });
    expect(JSON.parse((await get(`${mock.url}/rate?of=b`)).body)).toEqual({ rate: 2 });
  });
});
