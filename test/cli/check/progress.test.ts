import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { progressLine, showProgress } from '../../../src/cli/check/run-check-command.ts';
import { makeFakeIo } from '../fake-io.ts';
import { sampleEvents, sampleSummary } from '../../report/sample-run.ts';

const base = { planned: 300, width: 80, plain: true };

test.each([
  [{ sent: 3, passed: 1100 }, '.................... 3 of about 300 requests'],
  [{ sent: 30, passed: 1100 }, '##.................. 30 of about 300 requests, about 10 s left'],
  [
    { sent: 150, passed: 200_000 },
    '##########.......... 150 of about 300 requests, about 3 min 20 s left',
  ],
  [
    { sent: 3, passed: 1100, expected: 50_000 },
    '.................... 3 of about 300 requests, about 51 s left',
  ],
  [
    { sent: 150, passed: 30_000, expected: 50_000 },
    '##########.......... 150 of about 300 requests, about 28 s left',
  ],
  [{ sent: 320, passed: 9000 }, '#################### 320 requests, confirming findings'],
])('%j', (now, line) => {
  expect(progressLine({ ...base, ...now })).toBe(line);
});

test('never wider than the terminal', () => {
  expect(
    [80, 60, 40, 10]
      .map((width) => progressLine({ ...base, sent: 30, passed: 1100, width }).length)
      .map((length, at) => length < [80, 60, 40, 10][at]!),
  ).toEqual([true, true, true, true]);
});

describe('progress on a terminal', () => {
  const exchange = sampleEvents.find(({ type }) => type === 'exchange-recorded')!;

  function shown(
    isTTY: { readonly out: boolean; readonly err: boolean },
    isOutLive: boolean,
    env: Record<string, string> = {},
  ): string {
    let now = 0;
    const io = { ...makeFakeIo({ NO_COLOR: '1', ...env }), isTTY, clock: () => new Date(now) };
    const { take } = showProgress(io, isOutLive);
    const happen = (event: RunEvent, at: number): void => {
      now = at;
      take(event);
    };
    happen({ type: 'plan-made', cases: 2, requests: 2 }, 0);
    happen(exchange, 500);
    happen(exchange, 1500);
    happen(exchange, 1510);
    happen({ type: 'run-finished', summary: sampleSummary }, 2000);
    return io.written.err;
  }

  test('appears after a second, with a limited rate, and is cleared at the end', () => {
    expect(shown({ out: true, err: true }, false)).toBe(
      '\r\u001b[2K#################### 2 of about 2 requests, confirming findings\r\u001b[2K',
    );
  });

  test(
    'silent until there is a plan, however long that takes: what a report ' +
      'says first would leave the line standing',
    () => {
      const io = { ...makeFakeIo({}), isTTY: { out: true, err: true }, clock: () => new Date(now) };
      let now = 0;
      const { take } = showProgress(io);
      now = 5000;
      take(sampleEvents[0]!);
      take(sampleEvents[1]!);
      expect(io.written.err).toBe('');
    },
  );

  test('is silent in CI', () => {
    expect(shown({ out: true, err: true }, false, { CI: 'true' })).toBe('');
  });

  test('prints nothing without a terminal, or while a report is written to it', () => {
    expect([
      shown({ out: true, err: false }, false),
      shown({ out: true, err: true }, true),
    ]).toEqual(['', '']);
    expect(shown({ out: false, err: true }, true)).not.toBe('');
  });
});
