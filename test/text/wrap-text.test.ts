import { expect, test } from 'vitest';
import { columnsOf, hangText, keepTogether, padText, wrapText } from '../../src/text/wrap-text.ts';

test.each([
  ['', 0],
  ['Biscuit', 7],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['猫', 2],
  ['🐈', 2],
  ['\u001b[31mred\u001b[39m', 3],
])('%j takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test('prose is wrapped at blanks, never within a long word', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapText('see https://example.com/a/long/address now', 10)).toEqual([
    'see',
    'https://example.com/a/long/address',
    'now',
  ]);
  expect(wrapText(`${keepTogether('10 errors')} found`, 8)).toEqual(['10 errors', 'found']);
  expect(wrapText('', 10)).toEqual(['']);
});

test('prose is indented after its prefix, or below it without room', () => {
  expect(hangText('  seen  ', 'twelve times, on two of them', 32)).toEqual([
    '  seen  twelve times, on two of',
    '        them',
  ]);
  expect(hangText('  a prefix that is long  ', 'twelve times, on two of them', 32)).toEqual([
    '  a prefix that is long',
    '      twelve times, on two of',
    '      them',
  ]);
});

test('padding counts columns, not characters', () => {
  expect(padText('猫', 4)).toBe('猫  ');
  expect(padText('longer', 4)).toBe('longer');
});
