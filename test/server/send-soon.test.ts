import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { sendSoon, sendTogether } from '../../src/server/send-response.ts';
import { connectRaw, exchangeRaw } from './raw-client.ts';
import { fakeMock } from './fake-mock.ts';
import { serveFake } from './serve-fake.ts';

const message = (
  text: string,
): { readonly status: number; readonly headers: []; readonly body: Uint8Array } => ({
  status: 200,
  headers: [],
  body: Buffer.from(text),
});

test('responses of one turn are sent together in order, without failed ones', async () => {
  const responses: ServerResponse[] = [];
  const faults: unknown[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    if (responses.length < 3) return;
    const [first, second, third] = responses;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('There are three.');
    second.writeHead(200);
    [first, second, third].forEach((each, index) =>
      sendSoon(each, message(String(index)), (fault) => faults.push(fault)),
    );
    // Nothing leaves before the turn is over.
    expect([first.headersSent, third.headersSent]).toEqual([false, false]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const clients = await Promise.all([connectRaw(port), connectRaw(port), connectRaw(port)]);
  for (const client of clients) {
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    while (responses.length <= clients.indexOf(client))
      await new Promise((resolve) => setImmediate(resolve));
  }
  expect([
    (await clients[0].read()).body.toString(),
    (await clients[2].read()).body.toString(),
  ]).toEqual(['0', '2']);
  await clients[1].closed;
  expect(faults).toHaveLength(1);
  for (const { socket } of clients) socket.destroy();
  server.close();
});

test.each([
  ['is done', (): void => undefined],
  [
    'fails',
    (): void => {
      throw new Error('of the work');
    },
  ],
])('answers of work that is done together leave when it %s, and not before', async (_how, end) => {
  const seen: boolean[] = [];
  const server = createServer((_request, response) => {
    try {
      sendTogether(() => {
        sendSoon(response, message('answer'), () => undefined);
        seen.push(response.headersSent);
        end();
      });
    } catch {
      // What fails is for whoever had the work done.
    }
    seen.push(response.headersSent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const { client, response } = await exchangeRaw(
    address !== null && typeof address === 'object' ? address.port : 0,
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  );
  expect([seen, response.body.toString()]).toEqual([[false, true], 'answer']);
  client.socket.destroy();
  server.close();
});

test('a response to a disconnected client affects no other client', async () => {
  const mock = fakeMock(({ target }) => {
    if (target === '/leaves') leaving?.socket.resetAndDestroy();
    return {};
  });
  const { listening, port } = await serveFake(mock);
  const leaving = await connectRaw(port);
  leaving.send('GET /leaves HTTP/1.1\r\nHost: a\r\n\r\n');
  await leaving.closed;
  const { client, response } = await exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(response.status).toBe('HTTP/1.1 200 OK');
  client.socket.destroy();
  await listening.close();
});
