import { expect, test } from 'vitest';
import { epochUnit } from '../../../src/contract/words/epoch-unit.ts';

const unitOf = (description: string): string | undefined =>
  epochUnit({ node: { description }, pointer: '' });

test.each([
  ['Seconds since 1970.', 'seconds'],
  ['Milliseconds since 1970; of the last change.', 'milliseconds'],
  ['The time as a Unix timestamp.', 'seconds'],
  ['In ms since the epoch.', 'milliseconds'],
  ['Seconds since the last start.', undefined],
  ['How many seconds it takes.', undefined],
])('%s', (description, unit) => {
  expect(unitOf(description)).toBe(unit);
});
