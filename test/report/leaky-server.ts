import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * The one secret that must show nowhere. Its characters are written differently in URLs, JSON, HTML
 * and base64.
 */
export const token = 'Sentinel+To/ken~42Qx==';

/** Every way in which a contract can ask for it, and what a user then gives. */
export const schemes: readonly (readonly [name: string, scheme: string, token: string])[] = [
  ['bearer', '{ type: http, scheme: bearer }', token],
  ['basic', '{ type: http, scheme: basic }', `someone:${token}`],
  ['a key in a header', '{ type: apiKey, in: header, name: X-Key }', token],
  ['a key in the query', '{ type: apiKey, in: query, name: key }', token],
  ['a key in a cookie', '{ type: apiKey, in: cookie, name: key }', token],
];

/**
 * What a server may do with a credential that it was sent: each shows it in another place, or in
 * another writing.
 */
export const leaks: Readonly<Record<string, (response: ServerResponse, key: string) => void>> = {
  json: (response, key) =>
    send(
      response,
      'application/json',
      JSON.stringify({ error: { message: `the key "${key}" is known`, key } }),
    ),
  html: (response, key) =>
    send(response, 'text/html', `<p title="${escape(key)}">${escape(key)}</p>`),
  text: (response, key) => send(response, 'text/plain', `Authorization: Bearer ${key}`),
  header: (response, key) =>
    send(response, 'application/json', '{}', {
      'X-Debug': `key=${key}`,
      'X-Encoded': encodeURIComponent(key),
    }),
  cookie: (response, key) =>
    send(response, 'application/json', '{}', {
      'Set-Cookie': `session=${encodeURIComponent(key)}; Path=/`,
    }),
  redirect: (response, key) => {
    response.writeHead(302, { Location: `/login?token=${encodeURIComponent(key)}` });
    response.end();
  },
  gzip: (response, key) =>
    send(response, 'application/json', gzipSync(JSON.stringify({ key })), {
      'Content-Encoding': 'gzip',
    }),
  base64: (response, key) =>
    send(
      response,
      'application/json',
      JSON.stringify(
        [0, 1, 2].map((blanks) =>
          Buffer.from(`${' '.repeat(blanks)}Bearer ${key}\n`).toString('base64'),
        ),
      ),
    ),
  base64url: (response, key) =>
    send(
      response,
      'text/plain',
      [0, 1, 2]
        .map((blanks) => Buffer.from(`${'x'.repeat(blanks)}${key}{}`).toString('base64url'))
        .join(' '),
    ),
  hex: (response, key) =>
    send(
      response,
      'text/plain',
      `${Buffer.from(key).toString('hex')} ${Buffer.from(key).toString('hex').toUpperCase()}`,
    ),
  percent: (response, key) =>
    send(
      response,
      'text/plain',
      [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join(''),
    ),
  chunks: (response, key) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    for (const character of `seen: ${key}.`) response.write(character);
    response.end();
  },
  failing: (response, key) => {
    response.statusCode = 500;
    send(
      response,
      'text/plain',
      `Error: no permission for ${key}\n    at /srv/app.js?token=${encodeURIComponent(key)}`,
    );
  },
  cut: (response, key) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100000' });
    response.write(JSON.stringify({ key }));
    setImmediate(() => response.destroy());
  },
  garbage: (response, key) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nbroken ${key} header\r\n\r\n${key}`);
  },
};

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function send(
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.setHeader('Content-Type', type);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

/** Which credential a request carried, wherever the contract puts it. */
function credentialOf(request: IncomingMessage): string {
  const authorization = request.headers.authorization ?? '';
  const basic = /^basic (.+)$/i.exec(authorization)?.[1];
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString();
  const bearer = /^\S+ (.+)$/.exec(authorization)?.[1];
  const cookie = /key=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('key');
  const header = request.headers['x-key'];
  return (
    bearer ??
    (typeof header === 'string' ? header : undefined) ??
    (cookie === undefined ? undefined : decodeURIComponent(cookie)) ??
    query ??
    ''
  );
}

/** A server that answers `/{leak}` in that way. It says nothing to who brings no credential. */
export async function startLeaky(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const leak = leaks[(request.url ?? '').split(/[/?]/)[1] ?? ''];
      const key = credentialOf(request);
      if (leak === undefined || key === '') {
        response.writeHead(leak === undefined ? 404 : 401);
        response.end();
      } else leak(response, key);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
