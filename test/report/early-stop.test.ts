import { describe, expect, test } from 'vitest';
import type { RunEvent, RunInfo } from '../../src/check/model/event.ts';
import type { RunSummary, ShutGroup } from '../../src/check/model/run-summary.ts';
import type { Stop } from '../../src/check/model/stop.ts';
import { pretty } from '../../src/report/pretty.ts';
import { reporters } from '../../src/report/reporters.ts';
import { headline, verdictLine } from '../../src/report/verdict.ts';
import { reportOf, unpackReport } from './report-of.ts';
import { sampleEvents, sampleRun, sampleSummary } from './sample-run.ts';

const stop: Stop = {
  code: 'wrong-base-url',
  baseUrl: 'http://127.0.0.1:4010',
  answers: 'not-found',
};
const ended: RunSummary = {
  ...sampleSummary,
  verdict: 'inconclusive',
  code: 'nothing-tested',
  reason: 'Nothing was tested.',
  stop,
  requests: 15,
  cleanup: 3,
};
const events: readonly RunEvent[] = [
  ...sampleEvents.slice(0, 3),
  { type: 'run-finished', summary: ended },
];

const words = 'Inconclusive: stopped after 12 requests, because every path answers 404 (base URL)';
const data = '"stop":{"code":"wrong-base-url"';

/** Reports that programs read: they have the reason as data; the others have it in words. */
const forPrograms: readonly string[] = ['json', 'ndjson', 'sarif', 'har', 'blob'];

test.each(reporters)('the report $id says why a run ended early', (reporter) => {
  const { id } = reporter;
  const report = reportOf(reporter, events, { width: 200 });
  if (forPrograms.includes(id)) {
    expect(report.replaceAll(/\s*([:{,])\s*/g, '$1')).toContain(data);
  } else {
    expect(unpackReport(report)).toContain(
      id === 'markdown' ? words.slice(0, words.indexOf(' (base')) : words,
    );
  }
});

test.each(
  reporters.filter(({ id }) => ['pretty', 'dot', 'junit', 'github', 'markdown'].includes(id)),
)('the report $id counts clean-up apart', (reporter) => {
  expect(reportOf(reporter, events, { width: 200 })).toContain('including 3 for cleanup');
});

describe('the headline', () => {
  const at = (changes: Partial<RunSummary>): string =>
    headline({ ...ended, cleanup: 0, ...changes });
  test.each<[string, Stop, string]>([
    [
      'limit of requests',
      { code: 'requests-spent', limit: 25 },
      'the limit of 25 requests is reached',
    ],
    ['limit of time', { code: 'time-spent', limitMs: 1_500 }, 'the limit of 1.5 s is reached'],
    ['budget', { code: 'budget-spent', limitMs: 60_000 }, 'the budget of 60 s is spent'],
    [
      'target that cannot be reached',
      { code: 'unreachable', baseUrl: 'http://a', answeredBefore: false },
      'the target cannot be reached',
    ],
    [
      'target that no longer answers',
      { code: 'unreachable', baseUrl: 'http://a', answeredBefore: true },
      'the target no longer answers',
    ],
    [
      'service that stopped',
      {
        code: 'service-stopped',
        baseUrl: 'http://a',
        method: 'POST',
        path: '/pets',
        cameBack: false,
      },
      'the service stopped answering after POST /pets',
    ],
    ['credential', { code: 'shut-out' }, 'the target lets no request in'],
    [
      'rate limit',
      { code: 'rate-limited', status: 429, method: 'GET', path: '/pets', longestWaitMs: 10_000 },
      'the server limits the rate of requests (429)',
    ],
    [
      'base URL that redirects',
      { code: 'wrong-base-url', baseUrl: 'http://a', answers: 'redirects' },
      'every path answers a redirect (base URL)',
    ],
  ])('names the %s', (_name, reason, clause) => {
    expect(at({ stop: reason, verdict: 'failed', code: 'findings' })).toBe(
      `Failed: stopped after 15 requests, because ${clause}.`,
    );
  });

  test('does not repeat the reason', () => {
    expect(at({ stop: { code: 'interrupted' }, verdict: 'interrupted', code: 'stopped' })).toBe(
      'Interrupted: stopped after 15 requests.',
    );
  });

  test('of a run that was not stopped is the verdict', () => {
    const { stop: _, ...whole } = ended;
    expect(headline({ ...whole, verdict: 'passed' })).toBe('Passed.');
  });
});

describe('a passed run lists what it did not test', () => {
  const [asked] = sampleSummary.operations;
  const operation = { ...asked!, errors: 0, judged: 5 };
  const line = (...operations: RunSummary['operations']): string =>
    verdictLine({ ...sampleSummary, verdict: 'passed', reason: 'Nothing.', operations });

  test.each<[string, RunSummary['operations'], string]>([
    ['nothing', [operation], 'Passed. Nothing.'],
    [
      'an operation that got no request',
      [operation, { ...operation, requests: 0, statuses: {} }],
      'Passed. Nothing. 1 operation of 2 was not tested.',
    ],
    [
      'operations of which no response was read',
      [operation, { ...operation, judged: 0 }, { ...operation, judged: 0 }],
      'Passed. Nothing. 2 operations of 3 were not tested.',
    ],
    [
      'an operation that lets nobody in',
      [operation, { ...operation, statuses: { 401: 5 } }],
      'Passed. Nothing. 1 operation of 2 was not tested.',
    ],
  ])('%s', (_name, operations, expected) => {
    expect(line(...operations)).toBe(expected);
  });
});

describe('a run that passed and tested little', () => {
  const [asked] = sampleSummary.operations;
  const read = { ...asked!, id: 'a', method: 'GET', errors: 0, statuses: { 200: 5 } };
  const write = { ...read, id: 'b', method: 'POST', statuses: { 401: 5 } };
  const shut: ShutGroup = { code: 'credential', operations: ['b', 'c'], opens: ['--auth KEY'] };
  const report = (operations: RunSummary['operations'], isPartial: boolean): string => {
    const reached = 1;
    const reach = { reached, total: operations.length, isPartial, shut: [shut] };
    const summary = { ...sampleSummary, verdict: 'passed', operations, reach } as const;
    const passed = { ...summary, reason: 'All 5 responses conform.' };
    return reportOf(
      pretty,
      [
        { type: 'run-started', run: sampleRun },
        { type: 'run-finished', summary: passed },
      ],
      { width: 400 },
    );
  };

  test('begins with what was not reached, and with what would open most of it', () => {
    const text = report([read, write, { ...write, id: 'c' }], true);
    expect(text).toContain(
      'Mostly untested. Covered 1 of 3 operations. ' +
        'With --auth KEY, 2 more operations can be tested. ' +
        'What was tested passed. All 5 responses conform.',
    );
    expect(text).toContain('next      With --auth KEY, 2 more operations can be tested.');
    expect(text).not.toContain('Nothing to fix');
  });

  test('says that no write succeeded', () => {
    expect(report([read, write], false)).toContain(
      'No write was tested. Covered 1 of 2 operations.',
    );
  });

  test('is one that passed where a write succeeded, or none was meant to', () => {
    const written = { ...write, statuses: { 201: 1 } };
    expect(report([read, written], false)).toContain('Passed. Covered 1 of 2 operations.');
    const unsent = { ...write, requests: 0, statuses: {} };
    const readOnly = { ...sampleSummary, verdict: 'passed', operations: [read, unsent] } as const;
    const reach = { reached: 1, total: 2, isPartial: false };
    const group: ShutGroup = { code: 'read-only', operations: ['b'], opens: [] };
    expect(headline({ ...readOnly, reach: { ...reach, shut: [group] } })).toBe('Passed.');
  });
});

describe('a run that reached nothing ends with the command to type', () => {
  const stepOf = (run: Partial<RunInfo>, shut: readonly ShutGroup[]): string => {
    const reach = { reached: 0, total: 5, isPartial: true, shut };
    const report = reportOf(
      pretty,
      [
        { type: 'run-started', run: { ...sampleRun, ...run } },
        { type: 'run-finished', summary: { ...ended, reach } },
      ],
      { width: 200 },
    );
    return /^ +next +(.*)$/m.exec(report)?.[1] ?? '';
  };
  const command = 'vouch check http://127.0.0.1:4010/v1';

  test('after the reason is resolved', () => {
    expect(stepOf({}, [])).toBe(`Fix that first, then: ${command} openapi/petstore.v1.yaml`);
  });

  test('with a credential, where that is all that lacks', () => {
    const contract = { ...sampleRun.contract, file: 'my api.yaml' };
    const credentials = [{ code: 'credential-missing', scheme: 'bearer', operations: 4 }] as const;
    const shut = [{ code: 'credential', operations: ['listPets'], opens: [] }] as const;
    expect(stepOf({ contract, credentials }, shut)).toBe(
      `VOUCH_TOKEN=YOUR_TOKEN ${command} 'my api.yaml'`,
    );
  });
});
