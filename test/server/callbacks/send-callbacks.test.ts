import { afterEach, describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../src/mock/mock.ts';
import {
  CallbackSender,
  type CallbackReport,
  type SenderOptions,
} from '../../../src/server/callbacks/send-callbacks.ts';
import { startReceiver, type Receiver } from './receiver.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function receive(...options: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...options);
  opened.push(receiver);
  return receiver;
}

interface Sending {
  readonly sender: CallbackSender;
  readonly reports: CallbackReport[];
}

function makeSender(options: SenderOptions = {}): Sending {
  const reports: CallbackReport[] = [];
  const sender = new CallbackSender({
    pausesMs: [1, 1],
    onReport: (report) => reports.push(report),
    ...options,
  });
  opened.push(sender);
  return { sender, reports };
}

function to(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    kind: 'sendable',
    name: 'happened',
    operation: 'subscribe',
    method: 'POST',
    url,
    headers: [
      ['Content-Type', 'application/json'],
      ['Vouch-Callback', 'happened'],
    ],
    body: Buffer.from('{"id":9007199254740993}'),
    ...more,
  };
}

/** A report without what changes from run to run. */
function brief({ outcome, attempt, status, reason, hint, retryInMs }: CallbackReport): string {
  return [outcome, attempt, status, reason, hint, retryInMs === undefined ? undefined : 'again']
    .filter((word) => word !== undefined)
    .join(' ');
}

describe('a callback', () => {
  test('is sent unchanged', async () => {
    const receiver = await receive();
    const { sender, reports } = makeSender();
    sender.send([to(`${receiver.url}/hook?a=1`)]);
    await sender.settled();
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        target: '/hook?a=1',
        body: '{"id":9007199254740993}',
        headers: {
          'content-type': 'application/json',
          'vouch-callback': 'happened',
          'content-length': '23',
        },
      },
    ]);
    expect(reports).toMatchObject([
      {
        name: 'happened',
        operation: 'subscribe',
        method: 'POST',
        url: `${receiver.url}/hook?a=1`,
        outcome: 'answered',
        attempt: 1,
        status: 204,
      },
    ]);
    expect(sender.reports()).toEqual(reports);
  });

  test.each([
    ['/hook', {}, undefined],
    ['user:pass%40word@', {}, 'user:pass@word'],
    ['user@', {}, 'user:'],
    ['user:pass@', { headers: [['Authorization', 'Basic b3duOm93bg==']] as const }, 'own:own'],
  ])('to %s comes with the credentials of its URL', async (credentials, more, expected) => {
    const receiver = await receive();
    const { sender, reports } = makeSender();
    sender.send([
      to(
        credentials.endsWith('@')
          ? receiver.url.replace('//', `//${credentials}`)
          : receiver.url + credentials,
        more,
      ),
    ]);
    await sender.settled();
    const [scheme, pair] = String(receiver.received[0]?.headers['authorization'] ?? '').split(' ');
    expect(pair === undefined ? undefined : Buffer.from(pair, 'base64').toString()).toBe(expected);
    expect(scheme).toBe(expected === undefined ? '' : 'Basic');
    expect(reports[0]?.url).not.toContain('pass');
  });

  test('is sent again after a 5xx, until it is accepted', async () => {
    const receiver = await receive(
      (response, _received, count) => void response.writeHead(count < 3 ? 503 : 200).end(),
    );
    const { sender, reports } = makeSender();
    sender.send([to(receiver.url)]);
    await sender.settled();
    expect(reports.map(brief)).toEqual([
      'answered 1 503 again',
      'answered 2 503 again',
      'answered 3 200',
    ]);
  });

  test('is given up after three attempts', async () => {
    const receiver = await receive((response) => void response.writeHead(500).end());
    const { sender, reports } = makeSender();
    sender.send([to(receiver.url)]);
    await sender.settled();
    expect(reports.map(brief)).toEqual([
      'answered 1 500 again',
      'answered 2 500 again',
      'answered 3 500',
    ]);
    expect(receiver.received).toHaveLength(3);
  });

  test('is retried if the connection is refused or cut', async () => {
    const receiver = await receive(
      (response, _received, count) =>
        void (count === 1 ? response.destroy() : response.writeHead(204).end()),
    );
    const gone = await receive();
    await gone.close();
    const { sender, reports } = makeSender();
    sender.send([to(receiver.url)]);
    await sender.settled();
    expect(reports.map(brief)).toEqual([
      'failed 1 found the connection closed without a response again',
      'answered 2 204',
    ]);
    sender.send([to(gone.url)]);
    await sender.settled();
    expect(reports.slice(2).map(brief)).toEqual([
      'failed 1 found no listener there again',
      'failed 2 found no listener there again',
      'failed 3 found no listener there',
    ]);
  });

  test.each([301, 400, 404, 429])(
    'is not sent again after %i, and no redirect is followed',
    async (status) => {
      const receiver = await receive(
        (response) => void response.writeHead(status, { Location: '/elsewhere' }).end(),
      );
      const { sender, reports } = makeSender();
      sender.send([to(receiver.url)]);
      await sender.settled();
      expect(reports.map(brief)).toEqual([`answered 1 ${String(status)}`]);
      expect(receiver.received.map(({ target }) => target)).toEqual(['/']);
    },
  );

  test('without a response ends at its timeout', async () => {
    const receiver = await receive(() => undefined);
    const { sender, reports } = makeSender({ timeoutMs: 20, pausesMs: [] });
    sender.send([to(receiver.url)]);
    await sender.settled();
    expect(reports.map(brief)).toEqual(['failed 1 got no answer in 0.02 s']);
  });

  test('does not wait for one before it', async () => {
    const receiver = await receive(
      (response, { target }) =>
        void (target === '/slow' ? undefined : response.writeHead(204).end()),
    );
    const { sender } = makeSender({ drainMs: 0 });
    sender.send([to(`${receiver.url}/slow`), to(`${receiver.url}/fast`)]);
    await receiver.came(2);
    expect(receiver.received.map(({ target }) => target).sort()).toEqual(['/fast', '/slow']);
  });

  test('that cannot be built is reported', () => {
    const { sender, reports } = makeSender();
    sender.send([
      {
        kind: 'unsendable',
        name: 'happened',
        operation: 'subscribe',
        reason: 'has no body that vouch can make: none',
      },
    ]);
    expect(reports.map(brief)).toEqual(['dropped 0 has no body that vouch can make: none']);
  });
});

describe('a host that is not this machine', () => {
  test('gets nothing, and the hint is printed once per host', async () => {
    const { sender, reports } = makeSender();
    sender.send([
      to('http://example.com/a'),
      to('http://example.com/b'),
      to('http://10.0.0.1/'),
      to('http://169.254.169.254/'),
    ]);
    await sender.settled();
    expect(reports.map(brief)).toMatchInlineSnapshot(`
      [
        "refused 0 does not lead to this machine Allow it with
        ↳ --allow-callback-host example.com",
        "refused 0 does not lead to this machine",
        "refused 0 leads to 10.0.0.1, which is not this machine Allow it
        ↳ with --allow-callback-host 10.0.0.1",
        "refused 0 leads to 169.254.169.254, a link-local or metadata
        ↳ address, where nothing is ever sent",
      ]
    `);
  });

  test.each([
    [
      'a name of this machine that leads elsewhere',
      'localhost',
      [],
      '93.184.216.34',
      'leads to 93.184.216.34, which is not this machine',
    ],
    [
      'an allowed name that leads to metadata',
      'hook.test',
      ['hook.test'],
      '169.254.169.254',
      'leads to 169.254.169.254, a link-local or metadata address, where nothing is ever sent',
    ],
    [
      'any name that leads to metadata',
      'hook.test',
      ['*'],
      'fe80::1',
      'leads to fe80::1, a link-local or metadata address, where nothing is ever sent',
    ],
  ])('gets nothing by way of %s', async (_name, host, allow, address, reason) => {
    const { sender, reports } = makeSender({
      allow,
      pausesMs: [],
      findAddresses: async () => [
        { address: '127.0.0.1', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ],
    });
    sender.send([to(`http://${host}:9/`)]);
    await sender.settled();
    expect(reports.map(brief)).toEqual([`failed 1 ${reason}`]);
  });

  test('is reached by an allowed name', async () => {
    const receiver = await receive();
    const { sender, reports } = makeSender({
      allow: ['hook.test'],
      findAddresses: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    sender.send([to(receiver.url.replace('127.0.0.1', 'hook.test'))]);
    await sender.settled();
    expect(reports.map(brief)).toEqual(['answered 1 204']);
    expect(receiver.received[0]?.headers.host).toMatch(/^hook\.test:/);
  });
});

describe('the queue of callbacks', () => {
  test('has a maximum length', async () => {
    const receiver = await receive(() => undefined);
    const { sender, reports } = makeSender({ maxPending: 2, drainMs: 0 });
    sender.send([1, 2, 3].map((number) => to(`${receiver.url}/${String(number)}`)));
    expect(reports.map(brief)).toEqual([
      'dropped 0 is not sent, because 2 others are on their way',
    ]);
  });

  test(
    'drops what waits when the mock stops, lets what is being sent end, and ' +
      'takes nothing more',
    async () => {
      let finish = (): void => undefined;
      const slow = await receive((response) => {
        finish = () => void response.writeHead(204).end();
      });
      const failing = await receive((response) => void response.writeHead(500).end());
      const { promise: pausing, resolve: paused } = Promise.withResolvers<void>();
      const reports: CallbackReport[] = [];
      const { sender } = makeSender({
        pausesMs: [3_600_000],
        onReport: (report) => {
          reports.push(report);
          if (report.retryInMs !== undefined) paused();
        },
      });
      sender.send([to(slow.url), to(failing.url)]);
      await Promise.all([slow.came(1), pausing]);
      const closed = sender.close();
      sender.send([to(slow.url)]);
      finish();
      await closed;
      expect(reports.map(brief)).toEqual([
        'answered 1 500 again',
        'dropped 0 is not sent, because the mock stops',
        'dropped 1 is not sent again, because the mock stops',
        'answered 1 204',
      ]);
    },
  );

  test('drops callbacks without responses after the last retry', async () => {
    const receiver = await receive(() => undefined);
    const { sender, reports } = makeSender({ drainMs: 1 });
    sender.send([to(receiver.url)]);
    await receiver.came(1);
    await sender.close();
    expect(reports.map(brief).at(-1)).toBe('dropped 1 is not sent again, because the mock stops');
  });
});

describe('an awaited callback', () => {
  test('returns the response', async () => {
    const receiver = await receive(
      (response) =>
        void response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
    );
    const { sender, reports } = makeSender();
    const answer = await sender.sendOnce(to(receiver.url));
    expect(
      'problem' in answer
        ? answer
        : {
            status: answer.status,
            body: Buffer.from(answer.body).toString(),
            type: answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
          },
    ).toEqual({ status: 202, body: '{"ok":true}', type: 'application/json' });
    expect(reports.map(brief)).toEqual(['answered 1 202']);
  });

  test('returns the reason of a failure, without a retry', async () => {
    const { sender } = makeSender();
    const gone = await receive();
    await gone.close();
    expect(await sender.sendOnce(to(gone.url))).toEqual({
      problem: 'found no listener there',
    });
    expect(await sender.sendOnce(to('http://example.com/'))).toEqual({
      problem: 'does not lead to this machine. Allow it with --allow-callback-host example.com',
    });
  });
});
