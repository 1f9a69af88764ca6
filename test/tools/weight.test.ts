import { expect, test } from 'vitest';
import { bound, checksAlone, linesOf } from '../../tools/weight.ts';

test('source and pages have no more lines than the bound, which only falls', () => {
  const lines = linesOf('src') + linesOf('web');
  expect(lines).toBeLessThanOrEqual(bound);
  // A bound that is far above what there is holds nothing: lower it in tools/weight.ts.
  expect(bound - lines).toBeLessThan(1_500);
});

test('each check is weighed by what nothing else needs', () => {
  const weights = checksAlone();
  expect(weights.length).toBeGreaterThan(50);
  for (const { check, files, lines } of weights) {
    expect(check).toMatch(/^[a-z]+\/[\w-]+\.ts$/);
    expect(files).toBeGreaterThan(0);
    expect(lines).toBeGreaterThan(20);
  }
});
