import { expect, test } from 'vitest';
import { isSameName } from '../../src/http/message.ts';

test.each([
  ['Content-Type', 'content-type', true],
  ['ETAG', 'ETag', true],
  ['etag', 'etag', true],
  ['etag', 'etags', false],
  ['date', 'data', false],
  // One bit apart, and no letters.
  ['x^', 'x~', false],
  ['x@', 'x`', false],
  ['x-1', 'x-\x11', false],
])('%s and %s: %s', (left, right, expected) => {
  expect(isSameName(left, right)).toBe(expected);
});
