import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type CheckOptions,
  checkTarget,
  planCheck,
  runCheck,
} from '../../src/check/engine/check-target.ts';
import type { Check } from '../../src/check/topics/check.ts';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Exchange } from '../../src/check/model/exchange.ts';
import { openRun } from '../../src/check/engine/run/open-run.ts';
import { runEvents } from '../../src/check/engine/run/run-events.ts';
import { resolveSettings } from '../../src/check/engine/settings.ts';
import type { Send } from '../../src/check/transport/send.ts';
import { openTransport } from '../../src/check/transport/wire/wire-transport.ts';
import { parseContract } from '../../src/contract/load.ts';
import { emptyBody } from '../../src/http/message.ts';
import { largeContractText } from './fixture/large-contract.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { type Library, startLibrary } from './fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => {
  vi.useRealTimers();
  return library?.close();
});

const contract = libraryContract();

async function optionsFor(given: Partial<CheckOptions> = {}): Promise<CheckOptions> {
  library = await startLibrary();
  return {
    url: library.url,
    contract,
    token: library.token,
    seed: 'run',
    version: '1.2.3',
    ...given,
  };
}

/** The types of events, one after the other, repetitions left out. */
function orderOf(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

const order = [
  'run-started',
  'operation-skipped',
  // The first look at the target does not wait until everything is planned.
  'exchange-recorded',
  'plan-made',
  'exchange-recorded',
  'gap-observed',
  'record-left',
  'check-crashed',
  'finding-reported',
  'run-finished',
];

describe('the events of a run', () => {
  test('have a fixed order, and run-finished is last', async () => {
    const { events } = await checkTarget(await optionsFor({ exclude: ['deleteBook'] }));
    expect(orderOf(events)).toEqual(order.filter((type) => type !== 'check-crashed'));
  });

  test('all reach a slow reader in order', async () => {
    const options = await optionsFor();
    const events: RunEvent[] = [];
    for await (const event of runCheck(options)) {
      for (let turn = 0; turn < events.length % 10; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      events.push(event);
    }
    const last = events.at(-1);
    expect(orderOf(events)).toEqual(
      order.filter((type) => type !== 'check-crashed' && type !== 'record-left'),
    );
    expect(events.filter(({ type }) => type === 'exchange-recorded')).toHaveLength(
      last?.type === 'run-finished' ? last.summary.requests : -1,
    );
  });

  test('state the size of the plan after the first reads', async () => {
    const { events } = await checkTarget(await optionsFor());
    const at = events.findIndex(({ type }) => type === 'plan-made');
    const phases = events
      .slice(0, at)
      .flatMap((event) => (event.type === 'exchange-recorded' ? [event.case.phase] : []));
    expect(new Set(phases)).toEqual(new Set(['probe', 'read']));
  });

  test('of a shard state the size of the plan before its first request', async () => {
    const { events } = await checkTarget(await optionsFor({ shard: { index: 1, count: 2 } }));
    expect(orderOf(events).slice(0, 4)).toEqual([
      'run-started',
      'operation-skipped',
      'plan-made',
      'exchange-recorded',
    ]);
  });

  test('identify the run', async () => {
    const { events } = await checkTarget(
      await optionsFor({ clock: () => new Date('2030-01-02T03:04:05Z') }),
    );
    expect(events[0]).toEqual({
      type: 'run-started',
      run: {
        effects: { creates: ['POST /books'], undeletable: [], acts: [] },
        id: expect.stringMatching(/^vouch-[0-9a-f]{6}$/),
        target: library?.url,
        servers: {},
        contract: { title: 'Library', version: '1.0.0', file: 'library.yaml' },
        mode: 'read-write',
        seed: 'run',
        startedAt: '2030-01-02T03:04:05.000Z',
        version: '1.2.3',
      },
    });
  });

  test('list the operations without requests, with the reason', async () => {
    const { events, summary } = await checkTarget(
      await optionsFor({ mode: 'read-only', exclude: ['getReports'] }),
    );
    expect(summary.reach?.shut).toContainEqual({
      code: 'other-server',
      operations: ['sendNote'],
      opens: ['--server notes=URL'],
    });
    expect(
      events.flatMap((event) =>
        event.type === 'operation-skipped' ? [`${event.operation.id}: ${event.reason}`] : [],
      ),
    ).toMatchInlineSnapshot(`
      [
        "createBook: it is a POST, and the run is read-only; --mode read-write sends it.",
        "replaceBook: it is a PUT, and the run is read-only; --mode read-write sends it.",
        "deleteBook: it is a DELETE, and the run is read-only; --mode read-write sends it.",
        "getReports: it is excluded (--exclude).",
        "sendNote: it has a separate server (notes); give it with --server notes=URL.",
      ]
    `);
  });

  test('count the requests', async () => {
    const options = await optionsFor();
    const { events, summary } = await checkTarget(options);
    const exchanges = events.filter(({ type }) => type === 'exchange-recorded');
    expect(summary.requests).toBe(exchanges.length);
    expect(library?.log).toHaveLength(exchanges.length);
    expect(summary.operations.reduce((sum, { requests }) => sum + requests, 0)).toBe(
      exchanges.length,
    );
    expect(summary.checks.find(({ id }) => id === 'no-server-error')?.inspected).toBeGreaterThan(
      200,
    );
    const planned = events.find((event) => event.type === 'plan-made');
    const { requests } = planCheck(options);
    expect(planned).toMatchObject({
      type: 'plan-made',
      cases: requests.length,
      requests: requests.length,
    });
    // The time of an answer is known by then.
    const { answerMs = 0, expectedMs = 0 } = planned?.type === 'plan-made' ? planned : {};
    expect(answerMs).toBeGreaterThan(0);
    expect(expectedMs / answerMs).toBeGreaterThan(requests.length / 64);
    expect(expectedMs / answerMs).toBeLessThan(requests.length);
    expect(Object.values(summary.latency ?? {}).reduce((sum, { count }) => sum + count, 0)).toBe(
      exchanges.length,
    );
    for (const { p50, p95, max } of Object.values(summary.latency ?? {}))
      expect(p50 > 0 && p50 <= p95 && p95 <= max).toBe(true);
  });

  test('report observations at the gaps of the contract', async () => {
    const { events } = await checkTarget(await optionsFor());
    expect(
      events.flatMap((event) =>
        event.type === 'gap-observed' ? [`${event.gap.id}: ${event.observed}`] : [],
      ),
    ).toMatchInlineSnapshot(`
      [
        "listBooks.refusal: Refused invalid requests with 400 (18 times).",
        "createBook.body.title.length: Answered 201 to 10000 characters in title.",
        "createBook.body.status.default: A record that was sent without
        ↳ status came back with "shelved".",
        "createBook.body.pages.default: A record that was sent without
        ↳ pages came back without it.",
        "replaceBook.body.title.length: Answered 200 to 48 characters in title.",
        "replaceBook.body.status.default: A record that was sent without
        ↳ status came back with "shelved".",
        "replaceBook.body.pages.default: A record that was sent without
        ↳ pages came back without it.",
        "getReports.success: Answered valid requests with 200 (8 times).",
        "getReports.default.payload: Answered 200 with an object with
        ↳ reports in application/json.",
      ]
    `);
  });

  test('list the records left on the target', async () => {
    const { events } = await checkTarget(await optionsFor({ exclude: ['deleteBook'] }));
    const left = events.flatMap((event) => (event.type === 'record-left' ? [event] : []));
    expect(left).toHaveLength(1);
    expect(left[0]).toMatchObject({
      operation: 'createBook',
      reason: 'deleteBook is not part of the run',
    });
    expect(left[0]?.record).toMatch(/^\d+ records \(id 112, /);
    expect(library?.size()).toBeGreaterThan(12);
  });
});

describe('the mode read-only', () => {
  test('sends only GET and HEAD, and at most one wrong credential for each operation', async () => {
    await checkTarget(await optionsFor({ mode: 'read-only' }));
    const log = library?.log ?? [];
    expect(new Set(log.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
    const wrong = log.filter(
      ({ header }) =>
        header('authorization') !== undefined &&
        header('authorization') !== `Bearer ${library?.token ?? ''}`,
    );
    expect(new Set(wrong.map(({ target }) => target.replace(/\d+$/, '')))).toHaveProperty(
      'size',
      wrong.length,
    );
  });

  test('is the default for other hosts', () => {
    const mode = (url: string, servers: Record<string, string> = {}): string =>
      resolveSettings({ url, contract, servers }).mode;
    expect([
      mode('http://localhost:1'),
      mode('http://127.9.9.9'),
      mode('http://[::1]:8080'),
      mode('http://api.localhost'),
    ]).toEqual(Array(4).fill('read-write'));
    expect([
      mode('https://api.example'),
      mode('http://10.0.0.1'),
      mode('http://localhost.example'),
      mode('http://127.0.0.1', { notes: 'https://notes.example' }),
    ]).toEqual(Array(4).fill('read-only'));
  });
});

describe('a run that is ended early', () => {
  test('by its signal: cleans up, and says that it was interrupted', async () => {
    const abort = new AbortController();
    const events: RunEvent[] = [];
    for await (const event of runCheck(await optionsFor({ signal: abort.signal }))) {
      events.push(event);
      if (events.length === 80) abort.abort();
    }
    expect(events.at(-1)).toMatchObject({
      type: 'run-finished',
      summary: { verdict: 'interrupted', reason: 'The run was interrupted before it was done.' },
    });
    expect(library?.log.length).toBeLessThan(150);
    expect(library?.size()).toBe(12);
  });

  test('by a second signal during clean-up: ends, and reports the remaining records', async () => {
    const [abort, hurry] = [new AbortController(), new AbortController()];
    const events: RunEvent[] = [];
    for await (const event of runCheck(
      await optionsFor({ signal: abort.signal, hurry: hurry.signal }),
    )) {
      events.push(event);
      if (events.length === 80) abort.abort();
      if (event.type === 'exchange-recorded' && event.case.phase === 'cleanup') hurry.abort();
    }
    const left = events.flatMap((event) => (event.type === 'record-left' ? [event.reason] : []));
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left)).toEqual(new Set(['the run ended before']));
    expect(events.at(-1)).toMatchObject({
      type: 'run-finished',
      summary: { verdict: 'interrupted' },
    });
    expect(library?.size()).toBe(12 + left.length);
  });

  test('before it begins: sends nothing', async () => {
    const { summary } = await checkTarget(await optionsFor({ signal: AbortSignal.abort() }));
    expect(summary).toMatchObject({ verdict: 'interrupted', requests: 0 });
    expect(library?.log).toEqual([]);
  });

  test('by a reader that stops during the clean-up: completes the clean-up', async () => {
    const options = await optionsFor();
    const before = library?.size();
    for await (const event of runCheck(options))
      if (event.type === 'exchange-recorded' && event.case.phase === 'cleanup') break;
    expect(library?.size()).toBe(before);
  });

  test('by a reader that stops: still cleans up', async () => {
    let seen = 0;
    for await (const event of runCheck(await optionsFor())) {
      if (event.type === 'exchange-recorded') seen += 1;
      if (seen === 70) break;
    }
    expect(
      library?.log.filter(({ method, target }) => method === 'POST' && target.endsWith('/books'))
        .length,
    ).toBeGreaterThan(3);
    expect(library?.size()).toBe(12);
  });

  test('by its request budget: is inconclusive, and clean-up does not count', async () => {
    const { summary, events } = await checkTarget(await optionsFor({ maxRequests: 60 }));
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      reason: 'The budget of 60 requests was spent before the plan was done.',
    });
    const counted = events.filter(
      (event) => event.type === 'exchange-recorded' && event.case.phase !== 'cleanup',
    );
    expect(counted.length).toBeLessThanOrEqual(60);
    expect(library?.size()).toBe(12);
  });

  test('by its maximum time', async () => {
    const { summary } = await checkTarget(await optionsFor({ maxTimeMs: 20, rate: 50 }));
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/^The time of 0\.02 s was spent before the plan was done\./),
    });
  });

  test('by its maximum time, which includes planning', async () => {
    const large = parseContract(largeContractText(400), 'large.json');
    const { summary } = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract: large,
      maxTimeMs: 100,
    });
    expect(summary).toMatchObject({
      verdict: 'inconclusive',
      requests: 0,
      reason: 'The time of 0.1 s was spent before the plan was done.',
    });
  });

  test('by its signal while the plan is made: sends nothing', async () => {
    const large = parseContract(largeContractText(400), 'large.json');
    const signal = AbortSignal.timeout(100);
    const { summary } = await checkTarget({ url: 'http://127.0.0.1:1', contract: large, signal });
    expect(summary).toMatchObject({ verdict: 'interrupted', requests: 0 });
  });
});

describe('a server that answers with Retry-After', () => {
  function limited(headers: readonly (readonly [string, string])[], status = 429): Send {
    return async (baseUrl, request) => ({
      baseUrl,
      request,
      response: { status, headers, body: emptyBody },
      durationMs: 1,
    });
  }

  test('longer than vouch waits: inconclusive at once', async () => {
    const { summary } = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract,
      send: limited([['Retry-After', '3600']]),
    });
    expect(summary.verdict).toBe('inconclusive');
    expect(summary.reason).toBe('Nothing was tested: the target answered 429 to every request.');
    expect(summary.requests).toBe(1);
  });

  test.each([
    ['seconds', [['Retry-After', '2']], 2_000],
    ['a date', [['Retry-After', 'Fri, 01 Jan 2100 00:00:05 GMT']], 5_000],
    ['nothing', [], 1_000],
  ] as const)('is waited for as it says: %s', async (_name, headers, expected) => {
    const waits: number[] = [];
    const { summary } = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract,
      concurrency: 1,
      clock: () => new Date('2100-01-01T00:00:00Z'),
      send: limited(headers),
      wait: async (ms) => void waits.push(ms),
    });
    expect(summary.verdict).toBe('inconclusive');
    expect(Math.round(Math.max(...waits) / 100) * 100).toBe(expected);
    expect(waits.length).toBeGreaterThanOrEqual(3);
  });

  test('503 with Retry-After is waited for, 503 without is an error', async () => {
    const waits: number[] = [];
    const patient = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract,
      send: limited([['Retry-After', '1']], 503),
      wait: async (ms) => void waits.push(ms),
    });
    expect(patient.summary.verdict).toBe('inconclusive');
    expect(patient.findings).toEqual([]);
    const broken = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract,
      send: limited([], 503),
    });
    expect(broken.summary.verdict).toBe('failed');
    expect(new Set(broken.findings.map(({ check }) => check))).toEqual(
      new Set(['no-server-error']),
    );
  });
});

test('a rate spaces requests', async () => {
  const gaps: number[] = [];
  await checkTarget({
    url: 'http://127.0.0.1:1',
    contract,
    rate: 4,
    maxRequests: 8,
    concurrency: 1,
    wait: async (ms) => void gaps.push(ms),
    send: async (baseUrl, request) => ({
      baseUrl,
      request,
      response: { status: 404, headers: [], body: emptyBody },
      durationMs: 1,
    }),
  });
  expect(gaps.length).toBeGreaterThan(1);
  expect(gaps[0]).toBeGreaterThan(150);
  expect(gaps[0]).toBeLessThanOrEqual(250);
});

test('a check that throws is reported, and the verdict is crashed', async () => {
  const options = await optionsFor({ mode: 'read-only' });
  const broken: Check = {
    id: 'broken-check',
    basis: 'advice',
    severity: 'error',
    harm: 'form',
    rule: '',
    reason: '',
    example: [],
    confirm: 'once',
    inspect: () => {
      throw new TypeError(`it met ${library?.token ?? ''}`);
    },
  };
  const settings = resolveSettings(options);
  const events: RunEvent[] = [];
  // A check of a test's own is no member of the table that the type names.
  for await (const event of runEvents(() =>
    openRun({
      ...settings,
      checks: [...settings.checks, broken],
    }),
  ))
    events.push(event);
  expect(events.filter(({ type }) => type === 'check-crashed')).toEqual([
    {
      type: 'check-crashed',
      check: 'broken-check',
      message: 'it met $VOUCH_TOKEN',
      stack: expect.stringContaining('TypeError'),
    },
  ]);
  expect(events.at(-1)).toMatchObject({
    type: 'run-finished',
    summary: {
      verdict: 'crashed',
      reason: 'vouch had an internal error; its report may be incomplete.',
    },
  });
});

test('an internal error still ends the run with its last event', async () => {
  const { events, summary } = await checkTarget({
    url: 'http://127.0.0.1:1',
    contract,
    send: async () => {
      throw new RangeError('out of reach');
    },
  });
  expect(orderOf(events)).toEqual([
    'run-started',
    'operation-skipped',
    'check-crashed',
    'run-finished',
  ]);
  expect(summary.verdict).toBe('crashed');
});

describe('a finding that is not reproduced', () => {
  /** The real transport, with one answer replaced. */
  function once(replace: (exchange: Exchange) => Exchange | undefined): {
    readonly send: Send;
    close(): Promise<void>;
  } {
    const transport = openTransport({ timeoutMs: 1_000, connections: 8 });
    let done = false;
    return {
      async send(baseUrl, request, signal) {
        const exchange = await transport.send(baseUrl, request, signal);
        const replaced = done ? undefined : replace(exchange);
        done ||= replaced !== undefined;
        return replaced ?? exchange;
      },
      close: () => transport.close(),
    };
  }

  const reset = {
    kind: 'connection.reset',
    message: 'the server closed the connection without a response.',
  } as const;
  const table: readonly (readonly [
    string,
    (exchange: Exchange) => Exchange | undefined,
    readonly string[],
  ])[] = [
    [
      'a reset of an unsafe request is nobody’s fault',
      ({ response: _response, ...asked }) =>
        asked.request.method === 'POST' ? { ...asked, fault: reset } : undefined,
      [],
    ],
    [
      'a timeout is a warning',
      ({ response: _response, ...asked }) =>
        asked.request.method === 'PUT'
          ? { ...asked, fault: { kind: 'timeout', message: 'nothing came.' } }
          : undefined,
      ['warning operation-answers'],
    ],
    [
      'a 500 is an error',
      (exchange) =>
        exchange.request.target.includes('limit=50')
          ? { ...exchange, response: { status: 500, headers: [], body: emptyBody } }
          : undefined,
      ['error no-server-error'],
    ],
    [
      'an invalid request that was let pass is let go',
      (exchange) =>
        exchange.request.target.endsWith('limit=0')
          ? {
              ...exchange,
              response: {
                status: 200,
                headers: [
                  ['X-Total', '0'],
                  ['Content-Type', 'application/json'],
                ],
                body: new TextEncoder().encode('[]'),
              },
            }
          : undefined,
      [],
    ],
    [
      'a valid request that was refused is let go',
      (exchange) =>
        exchange.request.target.endsWith('limit=2')
          ? { ...exchange, response: { status: 400, headers: [], body: emptyBody } }
          : undefined,
      [],
    ],
  ];
  test.each(table)('%s', async (_name, replace, expected) => {
    const flaky = once(replace);
    // How fast the machine of the tests is says nothing of the server.
    const { findings } = await checkTarget(
      await optionsFor({ send: flaky.send, skip: ['answers-in-time'] }),
    );
    await flaky.close();
    expect(
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ severity, check }) => `${severity} ${check}`),
    ).toEqual(expected);
  });
});

test('only and skip choose the checks', async () => {
  library = await startLibrary({ defect: 'html-errors' });
  const options = { url: library.url, contract, token: library.token, seed: 'run' };
  const only = await checkTarget({ ...options, only: ['no-server-error'] });
  expect(only.summary).toMatchObject({ verdict: 'passed', checks: [{ id: 'no-server-error' }] });
  const skip = await checkTarget({ ...options, skip: ['content-type-documented'] });
  expect(skip.summary.verdict).toBe('passed');
});

test('the base URL may have a path or none, and a trailing slash or none', async () => {
  for (const basePath of ['', '/v1', '/deep/er/path']) {
    const own = await startLibrary({ basePath });
    for (const slash of ['', '/']) {
      const { summary } = await checkTarget({
        url: `${own.url}${slash}`,
        contract,
        token: own.token,
        mode: 'read-only',
        seed: 'base',
      });
      expect(summary.verdict).toBe('passed');
    }
    expect(own.log.filter(({ target }) => target.includes('//'))).toEqual([]);
    await own.close();
  }
});
