import { expect, test } from 'vitest';
import { decodeBase64Text, isSameName } from '../../src/http/message.ts';

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

test.each<[string, string | undefined]>([
  ['YTpi', 'a:b'],
  ['YQ==', 'a'],
  ['YQ', 'a'],
  ['w7w6w58=', 'ü:ß'],
  ['', undefined],
  ['Y', undefined],
  ['YQ=', undefined],
  ['YT pi', undefined],
  ['_-8=', undefined],
  ['/w==', undefined],
])('%j holds %j', (text, expected) => {
  expect(decodeBase64Text(text)).toBe(expected);
});
