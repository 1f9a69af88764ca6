import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turnOver } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { ServedRequest, ServedResponse } from '../../../src/server/connection/served-messages.ts';
import { listen, type Listening } from '../../../src/server/listen.ts';
import { connectRaw } from '../raw-client.ts';

type Serve = (request: ServedRequest, response: ServedResponse) => Promise<void> | void;

let open: Listening | undefined;
const faults: unknown[] = [];

afterEach(async () => {
  await open?.close();
  open = undefined;
  expect(faults.splice(0)).toEqual([]);
});

/** A server of our own with somebody else's listener, and a connection to it. */
async function serve(listener: Serve) {
  const app = (request: IncomingMessage, response: ServerResponse): void => {
    if (request instanceof ServedRequest && response instanceof ServedResponse)
      void Promise.resolve(listener(request, response)).catch((fault: unknown) =>
        faults.push(fault),
      );
    else faults.push('another class');
  };
  open = await listen(app, { port: 0 });
  return connectRaw(open.port);
}

const echo: Serve = async (request, response) => void response.end(await buffer(request));
const whole = (body: string): string =>
  `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;

describe('a request that is read as a stream', () => {
  test.each([
    ['a body in one chunk', [whole('one chunk')], 'one chunk'],
    ['no body', ['POST /a HTTP/1.1\r\nHost: a\r\n\r\n'], ''],
    [
      'a body in several',
      [
        'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n',
        '4\r\n two\r\n',
        '0\r\n\r\n',
      ],
      'one two',
    ],
  ])('gives %s', async (_name, parts, body) => {
    const client = await serve(echo);
    for (const part of parts) {
      client.send(part);
      await turnOver();
    }
    expect((await client.read()).body.toString()).toBe(body);
  });

  test('gives its body to a listener that is added after it was received', async () => {
    const client = await serve(async (request, response) => {
      while (!request.complete) await turnOver();
      await echo(request, response);
    });
    client.send(whole('late'));
    expect((await client.read()).body.toString()).toBe('late');
  });

  test('of a megabyte is complete, and so is the next one', async () => {
    const client = await serve(echo);
    const much = 'x'.repeat(1024 * 1024);
    client.send(whole(much));
    expect((await client.read()).body.length).toBe(much.length);
    client.send(whole('next'));
    expect((await client.read()).body.toString()).toBe('next');
  });

  test('that is not read does not block the next request', async () => {
    const client = await serve((_request, response) => void response.end('unread'));
    for (let round = 0; round < 3; round += 1) {
      client.send(whole('x'.repeat(100_000)));
      expect((await client.read()).body.toString()).toBe('unread');
    }
  });
});

describe('a request whose body is taken as a whole', () => {
  test('is taken once, after it was received, and has ended then', async () => {
    const seen: unknown[] = [];
    const client = await serve(async (request, response) => {
      seen.push(request.takeWhole());
      while (!request.complete) await turnOver();
      seen.push(String(request.takeWhole()), request.takeWhole(), request.readableEnded);
      response.end(await buffer(request));
    });
    client.send(whole('at once'));
    expect((await client.read()).body.toString()).toBe('');
    expect(seen).toEqual([undefined, 'at once', undefined, true]);
  });

  test('is read as a stream if it arrived in several chunks', async () => {
    const seen: unknown[] = [];
    const client = await serve(async (request, response) => {
      while (!request.complete) await turnOver();
      seen.push(request.takeWhole(), request.readableEnded);
      await echo(request, response);
    });
    client.send(
      'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ' +
        'chunked\r\n\r\n3\r\none\r\n4\r\n two\r\n0\r\n\r\n',
    );
    expect((await client.read()).body.toString()).toBe('one two');
    expect(seen).toEqual([undefined, false]);
  });

  test('has ended if its body was skipped', async () => {
    const seen: unknown[] = [];
    const client = await serve((request, response) => {
      request.forgoBody();
      seen.push(request.readableEnded, request.takeWhole());
      response.end();
    });
    for (let round = 0; round < 3; round += 1) {
      client.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
      expect((await client.read()).status).toContain('200');
    }
    expect(seen).toEqual([true, undefined, true, undefined, true, undefined]);
  });

  test('is not available after its client has left', async () => {
    const client = await serve(async (request) => {
      while (!request.destroyed) await turnOver();
      faults.push(...(request.takeWhole() === undefined ? [] : ['taken']));
    });
    client.send(whole('gone'));
    await turnOver();
    client.socket.resetAndDestroy();
    await client.closed;
  });
});

test('an error of a response reaches its listener if there is one', async () => {
  const heard: unknown[] = [];
  const client = await serve((_request, response) => {
    response.emit('error', new Error('nobody hears'));
    response.once('error', (error: Error) => heard.push(error.message));
    response.emit('error', new Error('heard'));
    response.end('still here');
  });
  client.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await client.read()).body.toString()).toBe('still here');
  expect(heard).toEqual(['heard']);
});
