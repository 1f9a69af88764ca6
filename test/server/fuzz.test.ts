import { afterAll, beforeAll, expect, test } from 'vitest';
import { fc } from '../property.ts';
import { connectRaw, statusOfGet } from './raw-client.ts';
import { serveFake, type Served } from './serve-fake.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFake();
});
afterAll(async () => {
  await served.listening.close();
});

const line = fc.constantFrom(
  'GET / HTTP/1.1',
  'POST /a?b HTTP/1.1',
  'HEAD * HTTP/1.0',
  'OPTIONS * HTTP/1.1',
  'FOO / HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'Host: a',
  'Host:',
  'Content-Length: 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: x',
  'Expect: 100-continue',
  'Connection: close',
  'Upgrade: x',
  'Content-Encoding: gzip',
  '3',
  '0',
  'abc',
  '',
  '',
  '',
);
const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', ' ', '');
const nearlyHttp = fc
  .array(fc.tuple(line, end), { maxLength: 20 })
  .map((lines) => Buffer.from(lines.flat().join(''), 'latin1'));
const anything = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

test('any bytes lead to a closed connection, no 5xx except 501, and a running server', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearlyHttp, anything), async (bytes) => {
      const client = await connectRaw(served.port);
      let answer = '';
      client.socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
      client.socket.end(bytes);
      await client.closed;
      const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) =>
        Number(status),
      );
      expect(statuses.filter((status) => status >= 500 && status !== 501)).toEqual([]);
      // Whatever is not empty is answered; empty lines before a request are no request (RFC 9112,
      // section 2.2).
      if (/[^\r\n]/.test(bytes.toString('latin1'))) expect(statuses.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
  expect(await statusOfGet(served.port)).toBe('HTTP/1.1 200 OK');
});
