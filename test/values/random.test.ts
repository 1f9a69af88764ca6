import { describe, expect, test } from 'vitest';
import { makeRandom } from '../../src/values/random.ts';
import { fc } from '../property.ts';

describe('makeRandom', () => {
  test('gives the same numbers on every machine', () => {
    const random = makeRandom('a seed');
    expect([random.next(), random.next(), random.integer(1, 6), random.pick(['a', 'b', 'c'])])
      .toMatchInlineSnapshot(`
      [
        0.36751595232635736,
        0.08146104961633682,
        6,
        "a",
      ]
    `);
  });

  test('treats 42 and "42" as one seed, and 43 as another', () => {
    expect(makeRandom(42).next()).toBe(makeRandom('42').next());
    expect(makeRandom(42).next()).not.toBe(makeRandom(43).next());
  });

  test('stays within its bounds', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: -1000, max: 1000 }),
        fc.nat(1000),
        (seed, min, width) => {
          const random = makeRandom(seed);
          for (let count = 0; count < 20; count += 1) {
            const real = random.next();
            const integer = random.integer(min, min + width);
            expect(
              real >= 0 &&
                real < 1 &&
                Number.isInteger(integer) &&
                integer >= min &&
                integer <= min + width,
            ).toBe(true);
          }
        },
      ),
    );
  });

  test(
    'is even: each of 16 classes gets its share of 16,000 numbers, for seeds ' +
      'that differ little',
    () => {
      const counts = Array.from({ length: 16 }, () => 0);
      for (let seed = 0; seed < 16_000; seed += 1) {
        const slot = makeRandom(seed).integer(0, 15);
        counts[slot] = (counts[slot] ?? 0) + 1;
      }
      expect(Math.min(...counts)).toBeGreaterThan(850);
      expect(Math.max(...counts)).toBeLessThan(1_150);
    },
  );

  test('throws for an empty list', () => {
    expect(() => makeRandom(1).pick([])).toThrowErrorMatchingInlineSnapshot(
      `[VouchError: There is nothing to pick from: the list is empty.]`,
    );
  });
});
