import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/check/model/event.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import type { Reporter } from '../../src/report/reporter.ts';
import { reporters } from '../../src/report/reporters.ts';
import { hostileEvents } from './hostile-run.ts';
import { reportOf, unpackReport } from './report-of.ts';
import { bareEnd, sampleEvents, wrongStatus } from './sample-run.ts';

const everyReporter: readonly Reporter[] = reporters;

test('every reporter has a unique id', () => {
  const ids = everyReporter.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe.each(everyReporter.map((reporter) => [reporter.id, reporter] as const))(
  '%s',
  (_id, reporter) => {
    test('writes something for a run with only its last event', () => {
      expect(unpackReport(reportOf(reporter, bareEnd))).toContain('Nothing answered at');
    });

    test.each(sampleEvents.map((event) => [event.type, event] as const))(
      'accepts %s as the first and only event before the last',
      (_type, event) => {
        expect(reportOf(reporter, [event, ...bareEnd])).not.toBe('');
      },
    );

    test('writes the same for the same events, and does not change them', () => {
      const before = structuredClone(sampleEvents);
      expect(reportOf(reporter, sampleEvents)).toBe(reportOf(reporter, sampleEvents));
      expect(sampleEvents).toEqual(before);
    });

    test('two runs at the same time do not affect each other', () => {
      const first = reporter.begin({ color: false, width: 80, verbose: false });
      const second = reporter.begin({ color: false, width: 80, verbose: false });
      for (const event of sampleEvents.slice(0, -1)) first(event);
      const bare = bareEnd.map((event) => second(event)).join('');
      expect(bare).toBe(reportOf(reporter, bareEnd));
    });

    test('refuses an unknown event', () => {
      const unknown = { type: 'planet-exploded' } as unknown as RunEvent;
      expect(() => reportOf(reporter, [unknown])).toThrow(
        'Unknown event in a reporter: "planet-exploded".',
      );
    });

    test.each([false, true])(
      'writes no commands for a terminal or a CI log (verbose: %s)',
      (verbose) => {
        const report = reportOf(reporter, hostileEvents, { verbose });
        expect(report).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe]/,
        );
        expect(report.isWellFormed()).toBe(true);
        expect(report).not.toContain('##[');
        const commands = report.split('\n').filter((line) => line.trimStart().startsWith('::'));
        expect(
          commands.filter((line) => !/^::(error|warning|notice) (file|title)=/.test(line)),
        ).toEqual([]);
      },
    );

    // The run redacts every exchange; a report that does not have to show them keeps clear of them
    // all the same.
    test.runIf(!['html', 'har', 'blob'].includes(reporter.id))(
      'prints nothing of an exchange that shows no finding',
      () => {
        const secret = 'hunter2';
        const events = sampleEvents.map((event): RunEvent => {
          if (event.type !== 'exchange-recorded') return event;
          const bytes = new TextEncoder().encode(secret);
          const headers = [['authorization', secret]] as const;
          return {
            ...event,
            exchange: {
              baseUrl: `http://${secret}@host`,
              request: { method: 'GET', target: `/?key=${secret}`, headers, body: bytes },
              response: { status: 200, headers, body: bytes },
              fault: { kind: 'timeout', message: secret },
              durationMs: 1,
            },
          };
        });
        expect(reportOf(reporter, events, { verbose: true })).not.toContain(secret);
      },
    );
  },
);

test.each(everyReporter)('the reporter $id is live exactly if it writes for an exchange', (one) => {
  const take = one.begin({ color: false, width: 80, verbose: false });
  // A report may write the exchanges in groups.
  const exchanges = Array<readonly RunEvent[]>(1000)
    .fill(sampleEvents.filter(({ type }) => type === 'exchange-recorded'))
    .flat();
  for (const event of sampleEvents.slice(0, 1)) take(event);
  expect(exchanges.some((event) => take(event) !== '')).toBe(one.live === true);
});

const isForPrograms = ['blob', 'dot', 'har', 'html', 'json', 'ndjson'];

test.each(everyReporter.filter(({ id }) => !isForPrograms.includes(id)))(
  '$id shortens values above 200 characters, and names a command above 1,000',
  (reporter) => {
    const long = Array.from({ length: 2000 }, (_, index) => String(index)).join('-');
    const target = `/v1/pets?after=${long}`;
    const { exchange } = wrongStatus;
    const finding: Finding = {
      ...wrongStatus,
      message: `The field holds "a ${long}" where 3 are allowed.`,
      expected: 'at most 3 characters',
      actual: `"${long}" at /0/name`,
      trying: long,
      curl: [`curl 'http://127.0.0.1:4010${target}'`],
      ...(exchange && { exchange: { ...exchange, request: { ...exchange.request, target } } }),
    };
    const report = reportOf(reporter, [{ type: 'finding-reported', finding }, ...bareEnd]);
    const message = reporter.id === 'sarif' ? sarifMessage(report) : report;
    const lengths = [...message.matchAll(/0-1-2-[-\d]+/g)].map(([value]) => value.length);
    expect(lengths).not.toEqual([]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(200);
    expect(message).toMatch(/more characters[^"]*(?:"|&#34;|&quot;) (at|where)/);
    if (reporter.id !== 'gitlab') expect(message).toMatch(/curl command of 8,9\d\d characters/);
  },
);

function sarifMessage(report: string): string {
  const { runs } = JSON.parse(report) as {
    readonly runs: readonly [
      { readonly results: readonly [{ readonly message: { readonly text: string } }] },
    ];
  };
  return runs[0].results[0].message.text;
}
