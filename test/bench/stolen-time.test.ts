import { expect, test } from 'vitest';
import { readProcessorTime, stolenShare } from '../../bench/measure/stolen-time.ts';

const stat = (...ticks: number[]): string =>
  `cpu  ${ticks.join(' ')}\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

test('running and stolen time are read from the first line', () => {
  expect(readProcessorTime(stat(10, 20, 30, 1000, 5, 2, 3, 40, 0, 0))).toEqual({
    ran: 65,
    stolen: 40,
  });
});

test.each([[''], ['cpu0 1 1 1 1 1 1 1 1\n'], ['cpu  1 2 3 4\n']])(
  '%j has no stolen time',
  (text) => {
    expect(readProcessorTime(text)).toBeUndefined();
  },
);

test('the share is of the time in between, without idle time', () => {
  expect(stolenShare({ ran: 100, stolen: 10 }, { ran: 160, stolen: 30 })).toBe(0.25);
  expect(stolenShare({ ran: 100, stolen: 10 }, { ran: 100, stolen: 10 })).toBe(0);
});
