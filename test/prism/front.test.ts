import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../../src/http/message.ts';
import { openFront, type Ask, type Front } from '../../src/prism/front.ts';

const answer: HttpResponse = {
  status: 200,
  headers: [['content-type', 'text/plain']],
  body: new TextEncoder().encode('hello'),
};

async function open(ask: Ask): Promise<Front & { readonly url: string }> {
  const front = await openFront({ host: '127.0.0.1', port: 0, basePath: '' }, ask);
  onTestFinished(() => front.close());
  return { ...front, url: `http://127.0.0.1:${front.port}` };
}

async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(bytes);
  return text(socket);
}

describe('the server in front of Prism', () => {
  test('forwards requests and responses', async () => {
    const { url } = await open((request) =>
      Promise.resolve({
        ...answer,
        body: new TextEncoder().encode(
          `${request.method} ${request.target} ${Buffer.from(request.body).toString()}`,
        ),
      }),
    );
    const response = await fetch(`${url}/a?b=c`, { method: 'POST', body: 'body' });
    expect(await response.text()).toBe('POST /a?b=c body');
    expect(response.headers.get('content-type')).toBe('text/plain');
  });

  test('sends no body with 204, nor to HEAD', async () => {
    const { url } = await open(({ method }) =>
      Promise.resolve({ ...answer, status: method === 'HEAD' ? 200 : 204 }),
    );
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe('5');
    const response = await fetch(url);
    expect(response.status).toBe(204);
    expect(response.headers.has('content-length')).toBe(false);
  });

  test('forwards 32 requests in parallel and responds with 503 to further ones', async () => {
    const gate = Promise.withResolvers<HttpResponse>();
    const full = Promise.withResolvers<void>();
    let asked = 0;
    const { url } = await open(() => {
      asked += 1;
      if (asked === 32) full.resolve();
      return gate.promise;
    });
    const held = Array.from({ length: 32 }, () => fetch(url));
    await full.promise;
    const refused = await fetch(url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    gate.resolve(answer);
    expect((await Promise.all(held)).every(({ status }) => status === 200)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
  });

  test('closes the connection if a response cannot be sent, and continues', async () => {
    const { url } = await open(({ target }) =>
      Promise.resolve(target === '/' ? answer : { ...answer, headers: [['x', 'a\nb']] }),
    );
    await expect(fetch(`${url}/bad`)).rejects.toThrow();
    expect((await fetch(url)).status).toBe(200);
  });

  test.each([
    ['not HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['RTSP', 'GET / RTSP/1.0\r\nHost: a\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'RTSP with the method OPTIONS',
      'OPTIONS * RTSP/1.1\r\nHost: a\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
    ['SIP', 'GET / SIP/2.0\r\nHost: a\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'headers too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
    ],
    [
      'a chunk that is none',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
  ])('answers to %s', async (_, bytes, start) => {
    const { port, url } = await open(() => Promise.resolve(answer));
    expect(await sendRaw(port, bytes)).toContain(start);
    expect((await fetch(url)).status).toBe(200);
  });

  test('answers a body of 3 MiB with 413, declared or not', async () => {
    const { url } = await open(() => Promise.resolve(answer));
    const body = new Uint8Array(3 * 1024 * 1024);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
    expect(
      (await fetch(url, { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' }))
        .status,
    ).toBe(413);
  });
});

describe('pages of other origins (CORS)', () => {
  test('may read the response', async () => {
    const { url } = await open(() => Promise.resolve(answer));
    const response = await fetch(url, { headers: { origin: 'http://localhost:5173' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(response.headers.get('vary')).toBe('origin');
  });

  test('may send a preflight request', async () => {
    const { url } = await open(() => Promise.resolve(answer));
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization',
    };
    const response = await fetch(`${url}/books`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('DELETE');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization');
  });

  test('an OPTIONS that is not a preflight is forwarded to Prism', async () => {
    const { url } = await open(() => Promise.resolve(answer));
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(200);
  });
});
