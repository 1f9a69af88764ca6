import { expect, test } from 'vitest';
import { connectRaw, exchangeRaw } from './raw-client.ts';
import { fakeMock } from './fake-mock.ts';
import { serveFake } from './serve-fake.ts';

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const megabyte = new Uint8Array(1024 * 1024);
const asked = 64;

test('the server does not write responses that a slow client does not read', async () => {
  const mock = fakeMock(({ target }) => (target === '/much' ? { body: megabyte } : {}));
  const { listening, port } = await serveFake(mock);
  const client = await connectRaw(port);
  client.socket.pause();
  client.send(get('/much').repeat(asked));
  await mock.asked;
  // What is answered at once is answered before another connection is.
  for (let round = 0; round < 5; round += 1)
    (await exchangeRaw(port, get('/other'))).client.socket.destroy();
  expect(mock.requests.filter(({ target }) => target === '/much').length).toBeLessThan(asked / 2);
  client.socket.resume();
  for (let count = 0; count < asked; count += 1)
    expect((await client.read()).body.length).toBe(megabyte.length);
  client.socket.destroy();
  await listening.close();
});

test('small answers do not wait for each other', async () => {
  const mock = fakeMock();
  const { listening, port } = await serveFake(mock);
  const client = await connectRaw(port);
  client.send(Array.from({ length: 500 }, (_, index) => get(`/${String(index)}`)).join(''));
  for (let index = 0; index < 500; index += 1)
    expect((await client.read()).body.toString()).toContain(`"/${String(index)}"`);
  client.socket.destroy();
  await listening.close();
});
