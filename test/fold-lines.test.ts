import { expect, test } from 'vitest';
import { foldLines } from './fold-lines.ts';

test('folding leaves short lines as they are', () => {
  expect(foldLines('one\ntwo', 3)).toBe('one\ntwo');
});

test('folding inserts marks and changes nothing else', () => {
  const text = 'one, two,three {"four":5,"six":[7,8]} and-a-word-that-is-too-long `${`\\\n\n end';
  for (let room = 10; room < 90; room += 1) {
    expect(foldLines(text, room).replaceAll('\n  ↳', '')).toBe(text);
  }
});

test('a line is folded after a comma or before a space, otherwise at the limit', () => {
  expect(foldLines('one two,three four56789012', 10)).toBe('one two,\n  ↳three four\n  ↳56789012');
});

test('a character that needs a backslash counts as two', () => {
  expect(foldLines('``````', 10)).toBe('`````\n  ↳`');
});
