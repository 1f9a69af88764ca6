import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  indentJson,
  matchesWords,
  prettyBody,
  readJson,
  shellQuote,
  visible,
} from '../../web/shared/text.ts';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

test.each(sources)('%s never turns text into HTML or a style', (file) => {
  const code = readFileSync(join(web, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  expect(code).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|style=|'style'/i,
  );
});

describe('JSON is indented by its tokens', () => {
  test.each([
    [
      '{"id":9007199254740993,"tags":["a, b","c:{}"],"none":{},"empty":[]}',
      '{\n  "id": 9007199254740993,\n  "tags": [\n    "a, b",\n    "c:{}"\n  ],' +
        '\n  "none": {},\n  "empty": []\n}',
    ],
    ['[1.0e400,NaN]', '[\n  1.0e400,\n  NaN\n]'],
    ['{"a":"\\"}"', '{\n  "a": "\\"}"'],
    ['', ''],
  ])('%s', (text, indented) => {
    expect(indentJson(text)).toBe(indented);
  });
});

test('characters that a browser would hide are shown as escapes', () => {
  expect(visible('a\u202eb\u001b[2J\u0000\ud800\n\tc')).toBe(
    'a\\u{202e}b\\x1b[2J\\x00\\u{d800}\n\tc',
  );
});

test('a search requires every word, in any order and case', () => {
  expect(
    ['get PETS', 'pets get', 'get dogs', ''].map((words) => matchesWords('GET /pets', words)),
  ).toEqual([true, true, false, true]);
});

describe('JSON is parsed without losing a digit', () => {
  test.each([
    ['{"id":9007199254740993}', '{"id":9007199254740993}'],
    ['[-12345678901234567890,1.5,7]', '[-12345678901234567890,1.5,7]'],
    ['{"price":0.1}', '{"price":0.1}'],
  ])('%s', (text, written) => {
    expect(JSON.stringify(readJson(text))).toBe(written);
  });
});

test('a text is quoted for a POSIX shell', () => {
  expect(shellQuote("it's $HOME")).toBe("'it'\\''s $HOME'");
});

test('only JSON is indented', () => {
  expect([prettyBody('{"a":1}'), prettyBody('{a}')]).toEqual(['{\n  "a": 1\n}', '{a}']);
});
