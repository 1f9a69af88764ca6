import { expect, test } from 'vitest';
import { decodeBase64Text } from '../../src/http/base64.ts';

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
