import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestLog } from '../../../src/cli/serve/request-log.ts';
import type { ExchangeRecord } from '../../../src/server/journal/journal.ts';
import { makeFakeIo } from '../fake-io.ts';

const wipe = '\r\u001b[2K';
const exchange: ExchangeRecord = { method: 'GET', target: '/pets', status: 200, durationMs: 3 };
const ofRun = (status: number, run = 'vouch-7f3a9c'): ExchangeRecord => ({
  ...exchange,
  status,
  run,
});

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 2, 14, 3, 9) });
});
afterEach(() => {
  vi.useRealTimers();
});

function makeLog(isTerminal: boolean): { log: RequestLog; said: string[] } {
  const said: string[] = [];
  const isTTY = { out: false, err: isTerminal };
  const log = new RequestLog({
    ...makeFakeIo({ NO_COLOR: '1' }),
    isTTY,
    err: (text) => void said.push(text),
  });
  return { log, said };
}

test('the requests of a run are one line at its end, those of others are shown as ever', () => {
  const { log, said } = makeLog(false);
  [200, 200, 404, 0].forEach((status) => log.take(ofRun(status)));
  vi.advanceTimersByTime(1_500);
  log.take(exchange);
  log.take(ofRun(503));
  vi.advanceTimersByTime(1_900);
  const person = '14:03:10 200     3 ms  GET     /pets\n';
  expect(said).toEqual([person]);
  vi.advanceTimersByTime(300);
  expect(said).toEqual([
    person,
    '14:03:12 check vouch-7f3a9c: 5 requests (none 1, 2xx 2, 4xx 1, 5xx 1) in 1.50 s\n',
  ]);
  vi.advanceTimersByTime(60_000);
  expect([said.length, vi.getTimerCount()]).toEqual([2, 0]);
});

test('on a terminal the line counts up below all others, and is written once at the end', () => {
  const { log, said } = makeLog(true);
  log.take(ofRun(200));
  vi.advanceTimersByTime(100);
  const counting = `${wipe}14:03:09 check vouch-7f3a9c: 1 request (2xx 1)`;
  expect(said).toEqual([counting]);
  log.io.err('reloaded openapi.yaml\n');
  expect(said.splice(0)).toEqual([counting, wipe, 'reloaded openapi.yaml\n', counting]);
  vi.advanceTimersByTime(3_000);
  const text = said.join('').split(wipe).at(-1);
  expect(text).toBe('14:03:11 check vouch-7f3a9c: 1 request (2xx 1) in 0 ms\n');
});

test('an answer of the mock that breaks the contract has its own line', () => {
  const { log, said } = makeLog(false);
  log.take({ ...ofRun(500), frame: '> 12 | type: string' });
  vi.runAllTimers();
  expect(said.join('')).toContain('> 12 | type: string');
});

test('runs that still send when the mock stops are written, a name of theirs in one line', () => {
  const { log, said } = makeLog(false);
  log.take(ofRun(200));
  log.take(ofRun(200, `\u001b[31m\n${'x'.repeat(80)}`));
  log.end();
  expect(said.join('').split('\n')).toHaveLength(3);
  expect(said.join('')).toContain('check \\x1b[31m\\n');
  expect(vi.getTimerCount()).toBe(0);
});
