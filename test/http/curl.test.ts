import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlBody, shellQuote } from '../../src/http/curl.ts';

test.each([
  ['a quote', "it's", `'it'\\''s'`],
  ['many letters', 'a'.repeat(10_000), `''"$(printf 'a%.0s' $(seq 10000))"''`],
  ['as many as stay', 'a'.repeat(199), `'${'a'.repeat(199)}'`],
  ['others beside them', `x${'é'.repeat(300)}'y`, `'x'"$(printf 'é%.0s' $(seq 300))"''\\''y'`],
  ['many of two units', '😀'.repeat(250), `''"$(printf '😀%.0s' $(seq 250))"''`],
  ['many double quotes', '"'.repeat(250), `''"$(printf '"%.0s' $(seq 250))"''`],
  ['what printf would read', '%-'.repeat(3) + '-'.repeat(250), undefined],
])('a shell reads a word with %s as it was', (_what, text, expected) => {
  const word = shellQuote(text);
  if (expected !== undefined) expect(word).toBe(expected);
  expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text);
});

test('an empty body of a type is sent with its length, and no body is not', () => {
  const body = new Uint8Array();
  const typed = curlBody({ body, headers: [['Content-Type', 'application/json']] }, shellQuote);
  expect(typed).toEqual({ pipe: '', words: ["--data-raw ''"] });
  expect(curlBody({ body, headers: [] }, shellQuote)).toEqual({ pipe: '', words: [] });
});
