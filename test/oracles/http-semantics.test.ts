import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/index.ts';
import { connectRaw, exchangeRaw, type RawResponse } from '../server/raw-client.ts';

/**
 * What RFC 9110 and 9112 ask of a server for every resource, from the whole mock over bare sockets;
 * framing is in `test/server/wire-rows.ts`.
 */
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

const fields = 'Host: localhost\r\nAuthorization: Bearer demo-key\r\n';

async function ask(bytes: string): Promise<RawResponse> {
  const { client, response } = await exchangeRaw(mock.port, bytes);
  client.socket.destroy();
  return response;
}

function headerOf({ head }: RawResponse, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];
const targets = ['/v1/pets', '/v1/pets/1', '/v1/store/orders', '/messages'];

describe('every method on every path', () => {
  test.each(targets)(
    '%s: what it does not have gets 405 and Allow, which names what it has ' +
      '(RFC 9110, section 15.5.6)',
    async (target) => {
      const allowed =
        headerOf(await ask(`OPTIONS ${target} HTTP/1.1\r\n${fields}\r\n`), 'allow')?.split(', ') ??
        [];
      expect(allowed).toContain('OPTIONS');
      for (const method of methods.filter((name) => !allowed.includes(name))) {
        const refusal = await ask(
          `${method} ${target} HTTP/1.1\r\n${fields}Content-Length: 0\r\n\r\n`,
        );
        expect(refusal.status, method).toMatch(/ 405 /);
        expect(headerOf(refusal, 'allow')?.split(', ').toSorted(), method).toEqual(
          allowed.toSorted(),
        );
      }
      for (const method of allowed)
        expect(
          (await ask(`${method} ${target} HTTP/1.1\r\n${fields}Content-Length: 0\r\n\r\n`)).status,
          method,
        ).not.toMatch(/ (405|5\d\d) /);
    },
  );
});

describe('HEAD is GET without the body (RFC 9110, section 9.3.2)', () => {
  const lines = (head: string): string[] =>
    head
      .split('\r\n')
      .filter((line) => !/^(date|x-request-id|vouch-|ratelimit)/i.test(line))
      .toSorted();
  test.each([
    ...[
      '/v1/pets',
      '/v1/pets?limit=1',
      '/v1/pets/1',
      '/v1/store/orders',
      '/v1/pets/4242',
      '/v1/pets?limit=x',
      '/nowhere',
      '/v1/pets/%zz',
    ].map((target) => [target, fields] as const),
    ['/v1/pets', 'Host: localhost\r\n'] as const,
    ['/v1/pets', `${fields}Accept: image/png\r\n`] as const,
  ])('%s', async (target, head) => {
    const get = await ask(`GET ${target} HTTP/1.1\r\n${head}\r\n`);
    const { client, response } = await exchangeRaw(
      mock.port,
      `HEAD ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    );
    const same = (line: string): boolean => !/^(connection|keep-alive)/i.test(line);
    expect(lines(response.head).filter(same)).toEqual(lines(get.head).filter(same));
    // Nothing follows the head before the connection closes: `read` would take it for another
    // answer.
    await client.closed;
    await expect(client.read()).rejects.toThrow(/after ""/);
  });
});

describe('several requests on one connection', () => {
  test('answers what is sent at once in order, whatever each of them is', async () => {
    const client = await connectRaw(mock.port);
    const body = '{"name":"Pipe","categoryId":1}';
    const chunked = `${body.length.toString(16)};note="a"\r\n${body}\r\n0\r\nX-Trailer: b\r\n\r\n`;
    client.send(
      [
        `GET /v1/pets/1 HTTP/1.1\r\n${fields}\r\n`,
        `POST /v1/pets HTTP/1.1\r\n${fields}Content-Type: application/` +
          `json\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
        `OPTIONS * HTTP/1.1\r\n${fields}\r\n`,
        `GET /nowhere HTTP/1.1\r\n${fields}\r\n`,
        `DELETE /v1/pets HTTP/1.1\r\n${fields}\r\n`,
        `GET http://localhost/v1/pets?limit=1 HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`,
      ].join(''),
    );
    const statuses: string[] = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await client.read()).status.split(' ')[1] ?? '');
    expect(statuses).toEqual(['200', '201', '204', '404', '405', '200']);
    await client.closed;
  });

  test('of HTTP/1.0 closes after its answer, and stays where it asks for it', async () => {
    const { client, response } = await exchangeRaw(
      mock.port,
      `GET /v1/pets/1 HTTP/1.0\r\n${fields}\r\n`,
    );
    expect(response.status).toMatch(/ 200 /);
    await client.closed;
    const kept = await connectRaw(mock.port);
    for (let at = 0; at < 2; at += 1) {
      kept.send(`GET /v1/pets/1 HTTP/1.0\r\n${fields}Connection: keep-alive\r\n\r\n`);
      expect((await kept.read()).status).toMatch(/ 200 /);
    }
    kept.socket.destroy();
  });

  test(
    'is asked for its body only once the head is let in (Expect: ' +
      '100-continue, RFC 9110, section 10.1.1)',
    async () => {
      const head = (extra: string): string =>
        `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${extra}Content-Type: ` +
        'application/json\r\nContent-Length: 29\r\nExpect: 100-continue\r\n\r\n';
      const { client, response } = await exchangeRaw(
        mock.port,
        head('Authorization: Bearer demo-key\r\n'),
      );
      expect(response.status).toBe('HTTP/1.1 100 Continue');
      client.send('{"name":"Late","categoryId":1}'.slice(0, 29));
      expect((await client.read()).status).toMatch(/ 400 /);
      client.socket.destroy();
    },
  );
});
