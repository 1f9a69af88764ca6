import { describe, expect, test } from 'vitest';
import { ChildOutput } from '../../src/prism/child.ts';

describe('the line with the reason of a crash', () => {
  test.each([
    [
      'an exception',
      '/a.js:1\nthrow x\n^\n\nTypeError: x is not a function\n    at ' +
        'a.js:1:1\n\nNode.js v24.21.0\n',
      'TypeError: x is not a function',
    ],
    [
      'no memory',
      'FATAL ERROR: Reached heap limit\n----- Native stack trace -----\n 1: ' +
        '0xb node::OOMErrorHandler\n',
      'FATAL ERROR: Reached heap limit',
    ],
    ['no error named', 'one\ntwo\n\n', 'two'],
    ['colours', '\u001b[31mError: red\u001b[0m\n', '[31mError: red[0m'],
    ['silence', '', ''],
  ])('%s', (_, text, line) => {
    const words = new ChildOutput();
    for (const character of text) words.add(character);
    expect(words.line()).toBe(line);
  });

  test('only the end of a long output is kept', () => {
    const words = new ChildOutput();
    words.add('Error: early\n');
    words.add('x'.repeat(100_000));
    expect(words.line()).toBe('x'.repeat(300));
  });
});
