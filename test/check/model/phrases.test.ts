import { expect, test } from 'vitest';
import { countEach } from '../../../src/check/model/step.ts';

test('each value is counted, the most frequent first, and rare ones together', () => {
  expect(countEach(['a', 'b', 'b'], '4 records')).toBe('"b" in 2 of 4 records, "a" in 1');
  expect(countEach([404], '20')).toBe('404 in 1 of 20');
  expect(countEach([1, 2, 3, 4, 5, 6, 6], '9')).toBe(
    '6 in 2 of 9, 1 in 1, 2 in 1, 3 in 1, others in 2',
  );
});
