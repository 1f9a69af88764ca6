import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { delay } from '../../src/server/send-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const open = (): AbortSignal => new AbortController().signal;

test.each([0, -1, Number.NaN])('a delay of %s milliseconds does not wait', async (milliseconds) => {
  expect(await delay(milliseconds, open())).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('waits for the given delay', async () => {
  const waited = delay(1_000, open());
  vi.advanceTimersByTime(999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await waited).toBe(true);
});

test('ends with the signal, and leaves no timer', async () => {
  const controller = new AbortController();
  const waited = delay(1_000, controller.signal);
  controller.abort();
  expect(await waited).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('does not begin after the signal', async () => {
  expect(await delay(1_000, AbortSignal.abort())).toBe(false);
});

test.each([2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY])(
  'a delay of %s milliseconds is not shortened to one',
  async (milliseconds) => {
    const controller = new AbortController();
    const waited = delay(milliseconds, controller.signal);
    vi.advanceTimersByTime(60_000);
    controller.abort();
    expect(await waited).toBe(false);
  },
);
