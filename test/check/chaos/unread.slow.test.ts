import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { say, sayAndClose } from './behaviours.ts';
import { chaosText } from './chaos-contract.ts';
import { ChaosServer, key, type Behave } from './chaos-server.ts';

let server: ChaosServer | undefined;
afterEach(() => server?.close());

const statuses = [200, 201, 302, 404, 422] as const;

/**
 * The contract of the chaos server, with every status of the table documented with the same body.
 */
function contractOf(mediaType: string): CheckOptions['contract'] {
  const documented = statuses.map(
    (status) => `'${String(status)}': { $ref: '#/components/responses/Answer' }`,
  );
  const text = chaosText.replaceAll(
    "'200': { $ref: '#/components/responses/Answer' }",
    documented.join(', '),
  );
  return parseContract(text.replace('application/json', mediaType), 'chaos.yaml');
}

interface Run {
  readonly everywhere?: boolean;
  readonly mediaType?: string;
  readonly options?: Partial<CheckOptions>;
}

async function check(
  behave: Behave,
  { everywhere = false, mediaType = 'application/json', options = {} }: Run,
): Promise<CheckReport> {
  server = new ChaosServer(behave, false, everywhere);
  const url = await server.listen();
  const contract = contractOf(mediaType);
  return checkTarget({
    url,
    contract,
    token: key,
    seed: 'unread',
    timeoutMs: 2_000,
    wait: async () => {},
    ...options,
  });
}

function head(status: number, fields: string, mediaType = 'application/json'): string {
  return (
    `HTTP/1.1 ${String(status)} X\r\nContent-Type: ${mediaType}\r\nLocation: ` +
    `/elsewhere\r\n${fields}\r\n`
  );
}

const large = Buffer.from(JSON.stringify({ count: 1, text: 'x'.repeat(20 * 1024 * 1024) }));
const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
const small = '{"count":1}';
const length = (bytes: { readonly length: number }): string =>
  `Content-Length: ${String(bytes.length)}\r\n`;

/** Says a piece again and again for as long as somebody takes it. */
function endless(status: number): Behave {
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
  return (socket) => {
    const more = (error?: Error | null): void => {
      if (error === undefined || error === null) socket.write(chunk, more);
    };
    socket.write(head(status, 'Transfer-Encoding: chunked\r\n'));
    more();
  };
}

/** What vouch cannot hold or read, by name, for a status. */
const unreadable: Readonly<Record<string, (status: number) => Behave>> = {
  'a body of 20 MiB': (status) => say(head(status, length(large)), large),
  'a body of 20 MiB without a length': (status) =>
    sayAndClose(head(status, 'Connection: close\r\n'), large),
  'a body that never ends': endless,
  'a gzip bomb': (status) => say(head(status, `Content-Encoding: gzip\r\n${length(bomb)}`), bomb),
  'a header of 1 MB': (status) =>
    say(head(status, `X-Long: ${'x'.repeat(1_000_000)}\r\n${length(small)}`), small),
  '500 content codings': (status) =>
    say(head(status, `Content-Encoding: ${'gzip, '.repeat(499)}gzip\r\n${length(small)}`), small),
  'an unknown content coding': (status) =>
    say(head(status, `Content-Encoding: rot13\r\n${length(small)}`), small),
};

const matrix = Object.keys(unreadable).flatMap((name) =>
  statuses.flatMap((status) => [
    { name, status, where: 'on all operations', everywhere: true },
    { name, status, where: 'on one operation', everywhere: false },
  ]),
);

describe('a run never passes on a response that it did not read', () => {
  test.each(matrix)('$name, with $status, $where', async ({ name, status, everywhere }) => {
    const behave = unreadable[name]?.(status) ?? (() => {});
    const { summary } = await check(behave, { everywhere });
    expect(['failed', 'inconclusive']).toContain(summary.verdict);
    expect(summary.operations.map(({ id, judged }) => [id, (judged ?? 0) > 0])).toEqual([
      ['getHealth', !everywhere],
      ['listThings', false],
      ['getVersion', !everywhere],
    ]);
  });
});

describe('a limit of vouch is not a finding', () => {
  test.each([true, false])(
    'a valid body of 20 MiB makes the run inconclusive (on all operations: %s)',
    async (everywhere) => {
      const { summary, findings } = await check(say(head(200, length(large)), large), {
        everywhere,
      });
      expect(summary).toMatchObject({ verdict: 'inconclusive', code: 'unread' });
      expect(summary.reason).toMatch(
        / responses? of .*listThings.* larger than vouch reads \(8 MiB\); (it was|they were) not judged\.$/,
      );
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      const [finding] = findings.filter(({ check: id }) => id === 'transport-sound');
      expect(finding?.message).toContain('was not judged, because it is larger than vouch reads');
    },
  );

  test('the status of an unread response does not count as covered', async () => {
    const { summary } = await check(say(head(200, length(large)), large), {});
    const covered = summary.coverage?.operations.find(
      ({ operation }) => operation === 'listThings',
    );
    expect(covered?.statuses.find(({ status }) => status === '200')).toMatchObject({
      reached: false,
    });
  });

  test('the run is inconclusive even if the reporting check is disabled', async () => {
    const { summary } = await check(say(head(200, length(large)), large), {
      options: { skip: ['transport-sound'] },
    });
    expect(summary.verdict).toBe('inconclusive');
  });

  test('an error fails the run although a response was not read', async () => {
    const behave: Behave = (socket, request) => {
      if (request.includes('/things'))
        socket.write(Buffer.concat([Buffer.from(head(200, length(large))), large]));
      else socket.write(`${head(500, length(small))}${small}`);
    };
    const { summary } = await check(behave, { everywhere: true });
    expect(summary.verdict).toBe('failed');
  });
});

describe('a decompression bomb and an oversized header are errors', () => {
  test.each(['a gzip bomb', 'a header of 1 MB'])('%s', async (name) => {
    const { summary, findings } = await check(unreadable[name]?.(200) ?? (() => {}), {});
    expect(summary.verdict).toBe('failed');
    expect(
      findings.map(({ severity, check: id, operation }) => `${severity} ${id} ${operation.id}`),
    ).toEqual(['error transport-sound listThings']);
  });

  test('a large body with a realistic compression ratio exceeds a limit of vouch', async () => {
    const text = Array.from(
      { length: 300_000 },
      (_unused, index) => `{"id":${String(index)},"name":"item ${String(index * 7919)}"}`,
    );
    const packed = gzipSync(`{"count":1,"list":[${text.join(',')}]}`);
    const { summary, findings } = await check(
      say(head(200, `Content-Encoding: gzip\r\n${length(packed)}`), packed),
      {},
    );
    expect(summary).toMatchObject({ verdict: 'inconclusive', code: 'unread' });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('a run never passes if no response was read', () => {
  test('every body is in an unknown charset', async () => {
    const text = 'hello';
    const behave = say(head(200, length(text), 'text/plain; charset=klingon'), text);
    const { summary } = await check(behave, { everywhere: true, mediaType: 'text/plain' });
    expect(summary).toMatchObject({ verdict: 'inconclusive', code: 'unread' });
    expect(summary.reason).toContain(
      'in a charset that vouch does not know; they were not judged.',
    );
  });

  test.each([
    [304, 'Nothing was tested: every valid request was answered 304.'],
    [
      302,
      'Nothing was tested: every valid request was redirected (to /elsewhere). ' +
        'Is URL the right base URL?',
    ],
  ])('every answer is %i, and documented', async (status, reason) => {
    const text = chaosText.replaceAll(
      "'401'",
      `'${String(status)}': { description: Moved }, '401'`,
    );
    server = new ChaosServer(
      say(
        `HTTP/1.1 ${String(status)} X\r\nLocation: ` +
          `/elsewhere\r\n${status === 304 ? '' : 'Content-Length: 0\r\n'}\r\n`,
      ),
      false,
      true,
    );
    const url = await server.listen();
    const { summary } = await checkTarget({
      url,
      contract: parseContract(text, 'chaos.yaml'),
      token: key,
      seed: 'unread',
    });
    expect(summary).toMatchObject({ verdict: 'inconclusive', code: 'nothing-tested' });
    expect(summary.reason.replace(url, 'URL')).toBe(reason);
  });

  test('although HEAD requests had responses', async () => {
    const behave = say(head(200, length(large)), large);
    const { summary } = await check(behave, {
      everywhere: true,
      options: { only: ['http-semantics'] },
    });
    expect(Object.keys(summary.operations[1]?.statuses ?? {})).toContain('200');
    expect(summary.verdict).toBe('inconclusive');
  });
});

test('an operation that only redirects is tested by its redirect', async () => {
  const found = { status: 302, headers: [['Location', '/there']] as const, body: new Uint8Array() };
  const contract = parseContract(
    `openapi: 3.1.0
info: { title: Short links, version: 1.0.0 }
paths:
  /go: { get: { operationId: getLink, responses: { '302': { description: There } } } }
`,
    'links.yaml',
  );
  const { summary } = await checkTarget({
    url: 'http://links.example',
    contract,
    seed: 'unread',
    send: async (baseUrl, request) => ({ baseUrl, request, response: found, durationMs: 1 }),
  });
  expect(summary.verdict).toBe('passed');
});
