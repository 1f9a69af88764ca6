import { createServer, type Server } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/prism/front.ts';

function makeServer(): Server {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

test('a used port is replaced by a later one', async () => {
  const taken = await listen(makeServer(), '127.0.0.1', 0);
  expect(await listen(makeServer(), '127.0.0.1', taken)).toBeGreaterThan(taken);
});

test('if no later port is free, the message lists them', async () => {
  // The last port there is: taken now, if it was not before.
  await listen(makeServer(), '127.0.0.1', 65_535).catch(() => undefined);
  await expect(
    listen(makeServer(), '127.0.0.1', 65_535),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[VouchError: The ports 65535 to 65535 of 127.0.0.1 are all taken.]`,
  );
});

test('a host of another machine and a used port have different errors', async () => {
  await expect(listen(makeServer(), '192.0.2.1', 0)).rejects.toMatchObject({
    code: 'prism-failed',
    hint: 'Choose another host or port.',
  });
});
