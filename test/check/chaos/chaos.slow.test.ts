import { afterEach, describe, expect, test } from 'vitest';
import {
  type CheckOptions,
  type CheckReport,
  checkTarget,
} from '../../../src/check/engine/check-target.ts';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import type { Finding } from '../../../src/check/model/finding.ts';
import type { Verdict } from '../../../src/check/model/run-summary.ts';
import { maxBodyBytes } from '../../../src/check/transport/send.ts';
import { decencies, misbehaviours } from './behaviours.ts';
import { chaosContract } from './chaos-contract.ts';
import { type Behave, ChaosServer, decent, key } from './chaos-server.ts';

const contract = chaosContract();
let server: ChaosServer | undefined;
afterEach(() => server?.close());

async function run(behave: Behave, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  server = new ChaosServer(behave);
  const url = await server.listen();
  return checkTarget({
    url,
    contract,
    token: key,
    seed: 'chaos',
    timeoutMs: 10_000,
    wait: async () => {},
    ...options,
  });
}

/** The cause is what stands in brackets, or what the fault is. */
function nameFinding({ severity, check, message, exchange, actual }: Finding): string {
  const cause = /\(((?:framing|protocol|status|encoding|body|headers)\.[a-z0-9-]+), RFC/.exec(
    message,
  )?.[1];
  const other =
    check === 'body-parses'
      ? 'application/json'
      : check === 'status-documented'
        ? `${actual} valid`
        : '';
  return `${severity} ${check} ${cause ?? exchange?.fault?.kind ?? other}`;
}

function alarms({ findings }: CheckReport): readonly Finding[] {
  return findings.filter(({ severity }) => severity !== 'note');
}

function exchangesOf({ events }: CheckReport): Exchange[] {
  return events.flatMap((event) => (event.type === 'exchange-recorded' ? [event.exchange] : []));
}

/**
 * An error fails the run. What was read whole passes with a warning, and what was not is
 * inconclusive.
 */
function verdictOf(expected: string): Verdict {
  if (expected.startsWith('error')) return 'failed';
  return expected.endsWith('body.repeated-name') ? 'passed' : 'inconclusive';
}

/**
 * What one connection may make the runner take: the limit of a body, and what the system holds for
 * both ends.
 */
const takenAtOnce = maxBodyBytes + 16 * 1024 * 1024;

describe('a finding names the one operation that misbehaves', () => {
  test.each(Object.entries(misbehaviours))('%s', async (_name, [behave, expected, ...more]) => {
    const report = await run(behave, { timeoutMs: expected.endsWith('timeout') ? 400 : 10_000 });
    expect(alarms(report).map(nameFinding)).toEqual([expected, ...more]);
    for (const finding of alarms(report)) {
      expect(finding.operations).toEqual(['listThings']);
      expect(finding.message).toMatch(/^[\x20-\x7e…]+\.$/);
      expect(finding.curl.length).toBeGreaterThan(0);
    }
    expect(report.summary.verdict).toBe(verdictOf(expected));
    expect(report.summary.requests).toBeLessThan(90);
    await server?.close();
    expect(server?.taken).toBeLessThan(takenAtOnce);
  });
});

describe('unusual but conforming behaviour has no false positive', () => {
  test.each(Object.entries(decencies))('%s', async (_name, behave) => {
    const report = await run(behave);
    expect(alarms(report).map(({ message }) => message)).toEqual([]);
    expect(report.summary.verdict).toBe('passed');
    expect(report.events.filter(({ type }) => type === 'check-crashed')).toEqual([]);
  });
});

test('late bytes are not attributed to another operation', async () => {
  // They stand before the answer to the next request. Behind it, nobody could tell whose they are.
  const { findings } = await run(
    (socket) =>
      void socket.write(decent, () =>
        socket.prependOnceListener('data', () => socket.write('and more')),
      ),
  );
  const others = findings.filter(
    ({ severity, check, operation }) =>
      severity !== 'note' && `${check} ${operation.id}` !== 'transport-sound listThings',
  );
  expect(others.map(({ message }) => message)).toEqual([]);
});

describe('a stream or body without a documented limit is not reported', () => {
  test.each([
    ['a stream of events that goes on', 'text/event-stream', 'drips the body'],
    ['a stream of events that is long', 'text/event-stream', 'never ends its chunks'],
    ['a long file', 'application/zip', 'announces a terabyte'],
  ])('%s', async (_name, mediaType, name) => {
    const behave = misbehaviours[name]?.[0] ?? (() => {});
    const report = await run(behave, {
      contract: chaosContract(mediaType),
      timeoutMs: name.startsWith('drips') ? 400 : 10_000,
      only: ['operation-answers', 'transport-sound'],
    });
    expect(alarms(report).map(({ message }) => message)).toEqual([]);
    expect(exchangesOf(report).filter(({ fault }) => fault !== undefined).length).toBeGreaterThan(
      0,
    );
  });
});

test('a body in a HEAD response is reported, and the run continues', async () => {
  server = new ChaosServer(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n{"count":1}'),
    true,
  );
  const { findings } = await checkTarget({
    url: await server.listen(),
    contract,
    token: key,
    seed: 'chaos',
  });
  expect(
    findings.filter(({ check }) => check === 'transport-sound').map(({ message }) => message),
  ).toEqual([
    'The response to a HEAD for what was just read is not sound: a response to ' +
      'HEAD has a body, which begins with "{\\"count\\":1}" ' +
      '(framing.body-not-allowed, RFC 9112, section 6.3).',
  ]);
});

test('a resent request is recorded', async () => {
  const report = await run(decencies['a close when the next request is on its way'] ?? (() => {}), {
    concurrency: 1,
  });
  const resent = exchangesOf(report).filter((exchange) => exchange.resent !== undefined);
  expect(resent.length).toBeGreaterThan(0);
  expect(new Set(resent.map((exchange) => exchange.resent))).toEqual(
    new Set([
      'The server closed an idle connection just as the request left, and ' +
        'no byte of a response had arrived.',
    ]),
  );
});

describe('every request identifies vouch', () => {
  test('by its version and its run', async () => {
    const { events } = await run(decencies['a plain answer'] ?? (() => {}), { version: '1.2.3' });
    const started = events[0];
    const id = started?.type === 'run-started' ? started.run.id : '';
    expect(server?.requests.length).toBeGreaterThan(3);
    for (const request of server?.requests ?? []) {
      expect(request).toContain('\r\nUser-Agent: vouch/1.2.3\r\n');
      expect(request).toContain(`\r\nVouch-Run: ${id}\r\n`);
    }
  });
});

test('a redirect to another host is recorded, and no request or key is sent there', async () => {
  const other = new ChaosServer(() => {});
  const elsewhere = await other.listen();
  const report = await run(
    (socket) =>
      void socket.write(
        'HTTP/1.1 307 Temporary Redirect\r\nLocation: ' +
          `${elsewhere}/things\r\nContent-Length: 0\r\n\r\n`,
      ),
  );
  expect(
    exchangesOf(report).filter(({ response }) => response?.status === 307).length,
  ).toBeGreaterThan(0);
  expect(other.requests).toEqual([]);
  await other.close();
});

describe('a server that requests a pause', () => {
  const later =
    (status: string, retryAfter: string): Behave =>
    (socket) =>
      void socket.write(`HTTP/1.1 ${status}\r\n${retryAfter}Content-Length: 0\r\n\r\n`);
  const now = new Date('2026-11-21T12:00:00Z');
  test.each([
    [
      '429 with seconds',
      later('429 Too Many Requests', 'Retry-After: 2\r\n'),
      /^The server repeatedly requested a later retry \(429 on GET \/things\)/,
      2_000,
    ],
    [
      '429 with a date',
      later('429 Too Many Requests', 'Retry-After: Sat, 21 Nov 2026 12:00:05 GMT\r\n'),
      /^The server repeatedly requested a later retry/,
      5_000,
    ],
    [
      '429 with a date gone by',
      later('429 Too Many Requests', 'Retry-After: Sat, 21 Nov 2026 11:00:05 GMT\r\n'),
      /^The server repeatedly requested a later retry/,
      0,
    ],
    [
      '429 with nonsense',
      later('429 Too Many Requests', 'Retry-After: soon, dear\r\n'),
      /^The server repeatedly requested a later retry/,
      1_000,
    ],
    [
      '429 with a year',
      later('429 Too Many Requests', 'Retry-After: 31536000\r\n'),
      /^The server requested a wait of 31536000 s \(429 on GET \/things\); vouch waits no longer than 10 s at a time\.$/,
      0,
    ],
    [
      '429 with an absurd number',
      later('429 Too Many Requests', `Retry-After: ${'9'.repeat(400)}\r\n`),
      /^The server repeatedly requested a later retry|^The server requested a wait of/,
      1_000,
    ],
    [
      '503 with seconds',
      later('503 Service Unavailable', 'Retry-After: 1\r\n'),
      /^The server repeatedly requested a later retry \(503 on GET \/things\)/,
      1_000,
    ],
  ])(
    '%s: waits up to a limit, then inconclusive, and never failed',
    async (_name, behave, reason, longest) => {
      const waits: number[] = [];
      const report = await run(behave, {
        clock: () => now,
        wait: async (ms) => void waits.push(ms),
        concurrency: 1,
      });
      expect(alarms(report)).toEqual([]);
      expect(report.summary.verdict).toBe('inconclusive');
      expect(report.summary.reason).toMatch(reason);
      expect(Math.max(0, ...waits)).toBeLessThanOrEqual(longest);
    },
  );

  test('503 without Retry-After is a server error', async () => {
    const report = await run(later('503 Service Unavailable', ''));
    expect(alarms(report).map(({ severity, check }) => `${severity} ${check}`)).toEqual([
      'error no-server-error',
    ]);
  });
});
