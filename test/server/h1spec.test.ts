import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw, statusOfGet } from './raw-client.ts';
import { serveFake, type Served } from './serve-fake.ts';

/**
 * The cases of h1spec (github.com/uNetworking/h1spec), written anew: what a server of HTTP/1.1 must
 * take in pieces, take whole, and refuse.
 */
let served: Served;
beforeAll(async () => {
  served = await serveFake();
});
afterAll(() => served.listening.close());

const whole = 'GET /hello HTTP/1.1\r\nHost: localhost\r\nX-Long: a value\r\n\r\n';

describe('a request in two pieces', () => {
  test.each([
    ['in the method', 'G'],
    ['behind the method', 'GET'],
    ['before the target', 'GET '],
    ['in the target', 'GET /hel'],
    ['behind the target', 'GET /hello'],
    ['before the version', 'GET /hello '],
    ['in the version', 'GET /hello HT'],
    ['behind the version', 'GET /hello HTTP/1.1'],
    ['in the first line end', 'GET /hello HTTP/1.1\r'],
    ['behind the first line', 'GET /hello HTTP/1.1\r\n'],
    ['in a field name', 'GET /hello HTTP/1.1\r\nHo'],
    ['behind a field name', 'GET /hello HTTP/1.1\r\nHost'],
    ['behind a colon', 'GET /hello HTTP/1.1\r\nHost:'],
    ['before a field value', 'GET /hello HTTP/1.1\r\nHost: '],
    ['in a field value', 'GET /hello HTTP/1.1\r\nHost: local'],
    ['in a line end', 'GET /hello HTTP/1.1\r\nHost: localhost\r'],
    ['behind a field', 'GET /hello HTTP/1.1\r\nHost: localhost\r\n'],
    ['in the last line end', whole.slice(0, -1)],
  ])('cut %s is answered once it is whole, and not before', async (_name, first) => {
    expect(whole.startsWith(first)).toBe(true);
    const before = served.mock.requests.length;
    const client = await connectRaw(served.port);
    await new Promise((resolve) => client.socket.write(first, resolve));
    // Another connection has come and gone: what was sent before has been read.
    expect(await statusOfGet(served.port)).toBe('HTTP/1.1 200 OK');
    expect(served.mock.requests.slice(before).map(({ target }) => target)).toEqual(['/alive']);
    client.send(whole.slice(first.length));
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    expect(served.mock.requests.at(-1)?.target).toBe('/hello');
    client.socket.destroy();
  });
});

const host = 'Host: localhost\r\n';

describe('a complete request', () => {
  test.each<[string, string, number]>([
    ['that is plain', `GET / HTTP/1.1\r\n${host}\r\n`, 200],
    [
      'with odd white space and case',
      'GET / HTTP/1.1\r\nhoSt:\tlocalhost\t \r\nempty:\r\n\r\n',
      200,
    ],
    ['with an empty field', `GET / HTTP/1.1\r\n${host}X-A:\r\n\r\n`, 200],
    ['with a body', `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, 200],
    [
      'with a body in chunks',
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nc\r\nHello world1\r\n0\r\n\r\n`,
      200,
    ],
    ['without a version', 'GET / \r\n\r\n', 400],
    [
      'with a character that no field name has',
      `GET / HTTP/1.1\r\n${host}X-Invalid[]: test\r\n\r\n`,
      400,
    ],
    [
      'with a control character in a field',
      `GET / HTTP/1.1\r\n${host}X-Bad-Control: test\x07\r\n\r\n`,
      400,
    ],
    ['without a Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['with two Hosts', `GET / HTTP/1.1\r\n${host}Host: example.com\r\n\r\n`, 400],
    [
      'with a length beyond any integer, and negative',
      `POST / HTTP/1.1\r\n${host}Content-Length: -123456789123456789123456789\r\n\r\n`,
      400,
    ],
    ['with a negative length', `POST / HTTP/1.1\r\n${host}Content-Length: -1234\r\n\r\n`, 400],
    [
      'with a length that is no number',
      `POST / HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`,
      400,
    ],
    ['with another version', `GET / HTTP/9.9\r\n${host}\r\n`, 400],
    ['behind what is no request', `Extra lineGET / HTTP/1.1\r\n${host}\r\n`, 501],
    ['with line ends that are none', `GET / HTTP/1.1\r${host}\r`, 400],
    [
      'with a length and chunks',
      `POST / HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: ` +
        'chunked\r\n\r\nc\r\nHello world1\r\n0\r\n\r\n',
      400,
    ],
  ])('%s gets %s', async (_name, bytes, status) => {
    const client = await connectRaw(served.port);
    client.send(bytes);
    expect((await client.read()).status).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    client.socket.destroy();
  });

  test('that expects 100-continue gets it, and then its response', async () => {
    const client = await connectRaw(served.port);
    client.send(`POST / HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
    expect((await client.read()).status).toBe('HTTP/1.1 100 Continue');
    client.send('ok');
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    client.socket.destroy();
  });
});

describe('a request line of RTSP', () => {
  const line = 'GET /hello RTSP/1.0\r\nHost: localhost\r\n\r\n';
  const cuts = [
    'G',
    'GET /hel',
    'GET /hello ',
    'GET /hello RT',
    'GET /hello RTSP/1.0',
    'GET /hello RTSP/1.0\r\n',
    'GET /hello RTSP/1.0\r\nHost: lo',
  ];

  test.each(cuts)('in two pieces, the first of them %j, is refused', async (first) => {
    const before = served.mock.requests.length;
    const client = await connectRaw(served.port);
    await new Promise((resolve) => client.socket.write(first, resolve));
    expect(await statusOfGet(served.port)).toBe('HTTP/1.1 200 OK');
    client.send(line.slice(first.length));
    expect((await client.read()).status).toBe('HTTP/1.1 400 Bad Request');
    await client.closed;
    expect(served.mock.requests.length).toBe(before + 1);
  });

  test('in the same packet as an HTTP request is refused after its response', async () => {
    const client = await connectRaw(served.port);
    client.send(`${whole}GET /other RTSP/1.0\r\n\r\n`);
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    expect((await client.read()).status).toBe('HTTP/1.1 400 Bad Request');
    await client.closed;
  });

  test('on a connection with an earlier HTTP request is refused', async () => {
    const client = await connectRaw(served.port);
    client.send(whole);
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    client.send(line);
    expect((await client.read()).status).toBe('HTTP/1.1 400 Bad Request');
    await client.closed;
  });
});
