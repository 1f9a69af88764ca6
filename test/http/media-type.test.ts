import { expect, test } from 'vitest';
import {
  acceptedRange,
  concreteType,
  matchesMediaRange,
  precisionOf,
} from '../../src/http/media-type.ts';

test.each([
  ['application/vnd.pet+json', 'application/*+json', true],
  ['application/vnd.pet+json; v=2', 'application/*+json; v=1', true],
  ['text/pet+json', 'application/*+json', false],
  ['text/pet+json', '*/*+json', true],
  ['application/pet+xml', '*/*+json', false],
  ['application/json', 'application/*+json', false],
  ['application/json', 'application/*', true],
  ['application/json', '*/*', true],
  ['text/csv', 'application/*', false],
  ['text/csv', 'text/c*', false],
])('%s is in the range %s: %s', (type, range, expected) => {
  expect(matchesMediaRange(type, range)).toBe(expected);
});

test('a range is more precise the less it includes', () => {
  const ranges = ['*/*', '*/*+json', 'application/*', 'application/*+json', 'application/a+json'];
  expect(ranges.map(precisionOf)).toEqual([0, 1, 2, 3, 4]);
});

test.each([
  ['application/*+json', 'application/vnd.example+json', 'application/*'],
  ['*/*+json', 'application/vnd.example+json', '*/*'],
  ['text/*+xml', 'text/vnd.example+xml', 'text/*'],
  ['image/*', 'image/png', 'image/*'],
  ['*/*', 'application/json', '*/*'],
  ['application/json', 'application/json', 'application/json'],
])('in the range %s, %s is sent, and %s is asked for', (range, sent, asked) => {
  expect([concreteType(range, false), acceptedRange(range)]).toEqual([sent, asked]);
  expect(matchesMediaRange(sent, range)).toBe(true);
});
