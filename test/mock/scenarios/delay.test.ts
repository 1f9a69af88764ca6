import { describe, expect, test } from 'vitest';
import { drawDelay, noDelay, percentiles, type Delay } from '../../../src/mock/scenarios/delay.ts';
import { makeRandom } from '../../../src/values/random.ts';

/** Many draws in order, the shortest first. */
function draws(delay: Delay, count = 20_000): number[] {
  return Array.from({ length: count }, (_, index) =>
    drawDelay(delay, () => makeRandom(`test ${String(index)}`)),
  ).sort((left, right) => left - right);
}

/** The time that this share of draws does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

test('a fixed delay needs no random number', () => {
  const none = (): never => {
    throw new Error('nothing is random here');
  };
  expect([drawDelay(noDelay, none), drawDelay({ kind: 'fixed', ms: 250 }, none)]).toEqual([0, 250]);
});

test('the same random numbers make the same delay', () => {
  const delay: Delay = { kind: 'uniform', from: 0, to: 10_000 };
  expect(drawDelay(delay, () => makeRandom('a'))).toBe(drawDelay(delay, () => makeRandom('a')));
  expect(drawDelay(delay, () => makeRandom('a'))).not.toBe(drawDelay(delay, () => makeRandom('b')));
});

describe('many delays', () => {
  test('between two times are spread evenly', () => {
    const sorted = draws({ kind: 'uniform', from: 100, to: 300 });
    expect([sorted[0], sorted.at(-1)].map(Number).every((time) => time >= 100 && time <= 300)).toBe(
      true,
    );
    expect(Math.abs(quantile(sorted, 0.25) - 150)).toBeLessThan(5);
    expect(Math.abs(quantile(sorted, 0.5) - 200)).toBeLessThan(5);
  });

  test('around a mean are within one deviation two times of three, and never below nothing', () => {
    const sorted = draws({ kind: 'normal', mean: 300, deviation: 50 });
    expect(Math.abs(quantile(sorted, 0.5) - 300)).toBeLessThan(3);
    expect(Math.abs(quantile(sorted, 0.1587) - 250)).toBeLessThan(4);
    expect(draws({ kind: 'normal', mean: 10, deviation: 100 })[0]).toBe(0);
  });

  test.each([['p50'], ['p90'], ['p95'], ['p99']] as const)(
    'keep %s where all four are given',
    (name) => {
      const expected = { p50: 200, p90: 500, p95: 1000, p99: 8000 };
      const points = Object.entries(expected).map(([key, ms]) => ({
        z: percentiles[key as keyof typeof expected],
        ms,
      }));
      const share = Number(name.slice(1)) / 100;
      expect(
        Math.abs(quantile(draws({ kind: 'percentiles', points }), share) / expected[name] - 1),
      ).toBeLessThan(0.08);
    },
  );

  test('are ten minutes at most', () => {
    const points = [
      { z: percentiles.p50, ms: 300_000 },
      { z: percentiles.p95, ms: 600_000 },
    ];
    expect(draws({ kind: 'percentiles', points }).at(-1)).toBe(600_000);
  });
});
