import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import request from 'supertest';
import type { NetworkFault } from '../../src/mock/scenarios/scenario.ts';
import { createApp } from '../../src/server/create-app.ts';
import { fakeMock } from './fake-mock.ts';
import { connectRaw, statusOfGet } from './raw-client.ts';
import { controlToken, serveFake, type Served } from './serve-fake.ts';

const text = 'twenty bytes of body';
const started: Served[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ listening }) => listening.close()));
});

/** A server whose answers to `/broken` have a fault. */
async function serveBroken(
  fault: NetworkFault,
  options: Parameters<typeof serveFake>[2] = {},
): Promise<Served> {
  const mock = fakeMock(({ target }) =>
    target === '/broken'
      ? { headers: [['Content-Type', 'text/plain']], body: Buffer.from(text), fault }
      : target === '/empty'
        ? { status: 204, headers: [], body: Buffer.alloc(0), fault }
        : {},
  );
  const served = await serveFake(mock, {}, options);
  started.push(served);
  return served;
}

const line = (target: string, method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/**
 * Everything that comes until the connection is over, and how it ended: closed, or reset. Dates are
 * taken out.
 */
function readAll(
  port: number,
  bytes: string,
): Promise<{ readonly text: string; readonly end: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks: Buffer[] = [];
    let end = 'closed';
    socket
      .on('data', (chunk) => chunks.push(chunk))
      .on('error', (error) => (end = String((error as NodeJS.ErrnoException).code)));
    socket.once('close', () =>
      resolve({
        text: Buffer.concat(chunks)
          .toString('latin1')
          .replaceAll(/Date: .*\r\n/g, ''),
        end,
      }),
    );
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

describe('a fault', () => {
  test.each<[NetworkFault, string, string]>([
    [{ kind: 'reset' }, '', 'ECONNRESET'],
    [{ kind: 'empty' }, '', 'closed'],
    [{ kind: 'hang', forMs: 1 }, '', 'closed'],
    [{ kind: 'garbage' }, '\x16\x03\x01 this is no HTTP \x00\xff\r\n\r\n', 'closed'],
    [{ kind: 'truncated' }, `${head}Content-Length: 20\r\n\r\ntwenty byt`, 'closed'],
    [{ kind: 'truncated', after: 0 }, `${head}Content-Length: 20\r\n\r\n`, 'closed'],
    [
      { kind: 'truncated', after: 99 },
      `${head}Content-Length: 20\r\n\r\ntwenty bytes of bod`,
      'closed',
    ],
    [
      { kind: 'truncated-chunks', after: 6 },
      `${head}Transfer-Encoding: chunked\r\n\r\n6\r\ntwenty\r\n`,
      'closed',
    ],
    [
      { kind: 'malformed-chunk', after: 6 },
      `${head}Transfer-Encoding: chunked\r\n\r\n6\r\ntwenty\r\nno-size\r\n bytes of body\r\n`,
      'closed',
    ],
    [{ kind: 'wrong-length', by: -5 }, `${head}Content-Length: 15\r\n\r\n${text}`, 'closed'],
    [{ kind: 'wrong-length', by: 7 }, `${head}Content-Length: 27\r\n\r\n${text}`, 'closed'],
    [{ kind: 'wrong-length', by: -25 }, `${head}Content-Length: 45\r\n\r\n${text}`, 'closed'],
  ])('%j is on the wire as it is meant', async (fault, wire, end) => {
    const { port } = await serveBroken(fault);
    expect(await readAll(port, line('/broken'))).toEqual({ text: wire, end });
    expect(await statusOfGet(port)).toBe('HTTP/1.1 200 OK');
  });

  test.each<[NetworkFault['kind'], string, string, string]>([
    ['truncated', 'HEAD', '/broken', head.slice(0, 5)],
    ['malformed-chunk', 'HEAD', '/broken', head.slice(0, 5)],
    ['truncated-chunks', 'GET', '/empty', 'HTTP/'],
    ['truncated', 'GET', '/empty', 'HTTP/'],
  ])(
    '%s of a %s of %s, which has no body, cuts off the head',
    async (kind, method, target, beginning) => {
      // Each of these kinds is one that needs no more than its name.
      const { port } = await serveBroken({ kind } as NetworkFault);
      const { text: wire, end } = await readAll(port, line(target, method));
      expect([wire.startsWith(beginning), wire.includes('\r\n\r\n'), end]).toEqual([
        true,
        false,
        'closed',
      ]);
    },
  );

  test('may have a wrong Content-Length for HEAD', async () => {
    const { port } = await serveBroken({ kind: 'wrong-length', by: 1 });
    expect((await readAll(port, line('/empty', 'HEAD'))).text).toBe(
      'HTTP/1.1 204 No Content\r\nContent-Length: 1\r\n\r\n',
    );
  });

  test('that resets comes after so many bytes where it is told to', async () => {
    const { port } = await serveBroken({ kind: 'reset', after: 6 });
    const { end } = await readAll(port, line('/broken'));
    expect(end).toBe('ECONNRESET');
  });

  test('is sent after the responses to earlier requests, and is the last', async () => {
    const { port, mock } = await serveBroken({ kind: 'truncated', after: 6 });
    const { text: wire } = await readAll(port, line('/first') + line('/broken') + line('/third'));
    expect([...wire.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual([
      '200',
      '200',
    ]);
    expect(wire.endsWith('\r\n\r\ntwenty')).toBe(true);
    expect(mock.requests.map(({ target }) => target)).toEqual(['/first', '/broken']);
  });

  test('that resets does not take the answers before it along', async () => {
    const { port } = await serveBroken({ kind: 'reset' });
    const client = await connectRaw(port);
    client.send(line('/first'));
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    client.send(line('/broken'));
    await client.closed;
    expect(await statusOfGet(port)).toBe('HTTP/1.1 200 OK');
  });

  test('waits for the delay before it', async () => {
    const mock = fakeMock(() => ({ fault: { kind: 'empty' }, delayMs: 20 }));
    const served = await serveFake(mock);
    started.push(served);
    const before = performance.now();
    expect(await readAll(served.port, line('/broken'))).toEqual({ text: '', end: 'closed' });
    expect(performance.now() - before).toBeGreaterThan(15);
  });

  test('is reported to listeners, and is in the journal', async () => {
    const told: (string | undefined)[] = [];
    const mock = fakeMock(({ target }) =>
      target === '/broken' ? { fault: { kind: 'garbage' } } : {},
    );
    const served = await serveFake(mock, { onExchange: ({ fault }) => told.push(fault) });
    started.push(served);
    await readAll(served.port, line('/broken'));
    await statusOfGet(served.port);
    expect(told).toEqual(['garbage', undefined]);
  });
});

describe('a body that dribbles', () => {
  test('comes whole, and the connection goes on', async () => {
    const { port } = await serveBroken({ kind: 'dribble', bytes: 3, everyMs: 1 });
    const client = await connectRaw(port);
    client.send(line('/broken') + line('/next'));
    const first = await client.read();
    expect([first.status, first.body.toString()]).toEqual(['HTTP/1.1 200 OK', text]);
    expect((await client.read()).status).toBe('HTTP/1.1 200 OK');
    client.socket.destroy();
  });

  test('comes in pieces', async () => {
    // Far enough apart for a busy machine to read the first one before the second is sent.
    const { port } = await serveBroken({ kind: 'dribble', bytes: 10, everyMs: 200 });
    const pieces = await new Promise<string[]>((resolve) => {
      httpGet({ port, host: '127.0.0.1', path: '/broken', agent: false }, (response) => {
        const seen: string[] = [];
        response
          .on('data', (chunk: Buffer) => seen.push(chunk.toString()))
          .once('end', () => resolve(seen));
      });
    });
    expect(pieces).toEqual(['twenty byt', 'es of body']);
  });

  test('ends when the client leaves', async () => {
    const ended = Promise.withResolvers<string | undefined>();
    const mock = fakeMock(() => ({
      body: Buffer.from(text),
      fault: { kind: 'dribble', bytes: 1, everyMs: 60_000 },
    }));
    const served = await serveFake(mock, { onExchange: ({ fault }) => ended.resolve(fault) });
    started.push(served);
    const client = await connectRaw(served.port);
    client.send(line('/broken'));
    await new Promise((resolve) => client.socket.once('data', resolve));
    client.socket.resetAndDestroy();
    expect(await ended.promise).toBe('dribble');
  });

  test('of a HEAD is an answer like any other', async () => {
    const { port } = await serveBroken({ kind: 'dribble', bytes: 1, everyMs: 60_000 });
    const client = await connectRaw(port);
    client.send(line('/broken', 'HEAD'));
    expect((await client.read(true)).head).toContain('Content-Length: 20');
    client.socket.destroy();
  });
});

describe('slow network faults', () => {
  test.each<[NetworkFault]>([
    [{ kind: 'dribble', bytes: 1, everyMs: 60_000 }],
    [{ kind: 'hang', forMs: 60_000 }],
  ])('%j does not hold up the end of the server beyond its limit', async (fault) => {
    const { port, mock, listening } = await serveBroken(fault, { timeouts: { drainMs: 30 } });
    const client = await connectRaw(port);
    client.send(line('/broken'));
    await mock.asked;
    await Promise.all([listening.close(), client.closed]);
    expect(client.socket.destroyed).toBe(true);
  });

  test('a hang ends when the client says that it sends no more', async () => {
    const { port, mock } = await serveBroken({ kind: 'hang', forMs: 60_000 });
    const client = await connectRaw(port);
    client.send(line('/broken'));
    await mock.asked;
    client.socket.end();
    await client.closed;
    expect(client.socket.destroyed).toBe(true);
  });
});

describe('network faults under supertest', () => {
  const app = (fault: NetworkFault): ReturnType<typeof createApp> =>
    createApp(
      fakeMock(() => ({ body: Buffer.from(text), fault })),
      { controlToken },
    );

  test.each<[NetworkFault, RegExp]>([
    [{ kind: 'reset' }, /ECONNRESET|hang up/],
    [{ kind: 'empty' }, /hang up/],
    [{ kind: 'garbage' }, /Parse Error/],
    [{ kind: 'truncated' }, /aborted/],
    [{ kind: 'truncated-chunks' }, /aborted/],
  ])('%j fails as it does on a network', async (fault, message) => {
    const failure: unknown = await request(app(fault))
      .get('/x')
      .then(
        () => 'answered',
        (error: unknown) => error,
      );
    expect(failure instanceof Error ? failure.message : failure).toMatch(message);
  });

  test('a dribble is an answer', async () => {
    const answer = await request(app({ kind: 'dribble', bytes: 4, everyMs: 1 }))
      .get('/x')
      .buffer(true)
      .parse((response, done) => {
        let body = '';
        response
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .once('end', () => done(null, body));
      });
    expect(answer.body).toBe(text);
  });
});
