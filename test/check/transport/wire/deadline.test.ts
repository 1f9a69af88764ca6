import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from '../../../../src/check/transport/wire/connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When a deadline of 100 ms passed, where it is set again at those moments. */
function passedAt(...restarts: readonly number[]): number[] {
  const passed: number[] = [];
  const deadline = new Deadline(100, () => void passed.push(performance.now() - begun));
  const begun = performance.now();
  for (const at of restarts) {
    vi.advanceTimersByTime(at - (performance.now() - begun));
    deadline.restart(performance.now());
  }
  vi.advanceTimersByTime(1_000);
  deadline.cancel();
  return passed.map((ms) => Math.round(ms / 10) * 10);
}

test.each<[readonly number[], readonly number[]]>([
  [[], [100]],
  [[40], [140]],
  [[40, 80, 120, 160], [260]],
  [[99], [200]],
  // Nobody asked for anything when it passed the first time.
  [[250], [100, 350]],
])('set again at %j ms, it passes at %j ms', (restarts, expected) => {
  expect(passedAt(...restarts)).toEqual(expected);
});

test('a cancelled deadline never fires', () => {
  const passed = vi.fn();
  const deadline = new Deadline(100, passed);
  vi.advanceTimersByTime(50);
  deadline.cancel();
  vi.advanceTimersByTime(1_000);
  expect(passed).not.toHaveBeenCalled();
});
