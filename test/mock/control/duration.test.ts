import { expect, test } from 'vitest';
import { parseDuration } from '../../../src/mock/control/clock.ts';

test.each([
  ['P1D', 86_400_000],
  ['p1d', 86_400_000],
  ['P2W', 1_209_600_000],
  ['PT2H30M', 9_000_000],
  ['P1DT0.5S', 86_400_500],
  ['-PT1H', -3_600_000],
  ['+PT1H', 3_600_000],
  ['1d', 86_400_000],
  ['2h30m', 9_000_000],
  ['90s', 90_000],
  ['1.5s', 1_500],
  ['500ms', 500],
  ['1m500ms', 60_500],
  ['-1d', -86_400_000],
  ['0s', 0],
])('%s is %s ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '-',
  '5',
  '1 day',
  'P1M',
  'P1Y',
  '1y',
  '1d 2h',
  'tomorrow',
  '--1d',
  `${'9'.repeat(400)}d`,
])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
