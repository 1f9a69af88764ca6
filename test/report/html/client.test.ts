import { runInNewContext, Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pageCode } from '../../../src/report/html/page-code.ts';
import { filterScript } from '../../../src/report/html/client/filter-script.ts';
import { textScript } from '../../../src/report/html/client/text-script.ts';

interface TextWays {
  visible(text: string): string;
  indentJson(text: string): string;
  hexView(bytes: Uint8Array): string;
  bytesOf(body: { readonly encoding: string; readonly text: string }): Uint8Array;
  matchesWords(text: string, words: string): boolean;
  inOrder(
    name: string,
    counts: ReadonlyMap<string, number>,
  ): (readonly [value: string, count: number])[];
}

// The script of the page declares these functions.
const page = runInNewContext(
  `${textScript}${filterScript}; ({ visible, indentJson, hexView, bytesOf, matchesWords, inOrder })`,
  { TextEncoder, Uint8Array, atob },
) as TextWays;

test('the script of the page is a script, and never makes HTML of text', () => {
  expect(() => new Script(pageCode)).not.toThrow();
  expect(pageCode).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setAttribute\('style/,
  );
});

describe('JSON is indented by its tokens', () => {
  test.each([
    [
      '{"id":9007199254740993,"tags":["a, b","c:{}"],"none":{},"empty":[]}',
      '{\n  "id": 9007199254740993,\n  "tags": [\n    "a, b",\n    "c:{}"\n  ],\n  "none": {},\n  "empty": []\n}',
    ],
    ['[1.0e400,NaN]', '[\n  1.0e400,\n  NaN\n]'],
    ['{"a":"\\"}"', '{\n  "a": "\\"}"'],
    ['', ''],
  ])('%s', (text, indented) => {
    expect(page.indentJson(text)).toBe(indented);
  });
});

test('what would be hidden is shown', () => {
  expect(page.visible('a\u202eb\u001b[2J\u0000\ud800\n\tc')).toBe(
    'a\\u{202e}b\\x1b[2J\\x00\\u{d800}\n\tc',
  );
});

test('bytes', () => {
  expect(
    page.hexView(
      page.bytesOf({
        encoding: 'base64',
        text: Buffer.from('\u0000\u0089PNG, and some more', 'latin1').toString('base64'),
      }),
    ),
  ).toBe(
    '00000000  00 89 50 4e 47 2c 20 61 6e 64 20 73 6f 6d 65 20  ..PNG, and some \n00000010  6d 6f 72 65                                      more',
  );
});

test('statuses stand below their class, and other values as they came', () => {
  const counts = new Map([
    ['404', 1],
    ['4xx', 2],
    ['no answer', 1],
    ['200', 3],
    ['2xx', 3],
  ]);
  expect(page.inOrder('status', counts).map(([value]) => value)).toEqual([
    '2xx',
    '200',
    '4xx',
    '404',
    'no answer',
  ]);
  expect(page.inOrder('phase', counts).map(([value]) => value)).toEqual([...counts.keys()]);
});

test('a search wants every word, in any order and case', () => {
  expect(
    ['get PETS', 'pets get', 'get dogs', ''].map((words) => page.matchesWords('GET /pets', words)),
  ).toEqual([true, true, false, true]);
});
