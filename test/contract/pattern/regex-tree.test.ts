import { expect, test } from 'vitest';
import { parseRegex } from '../../../src/contract/pattern/parse-regex.ts';
import {
  classEscapes,
  complement,
  looksAround,
  shortest,
  unicodeProperties,
  type PointRange,
  type RegexTree,
} from '../../../src/contract/pattern/regex-tree.ts';

function treeOf(source: string): RegexTree {
  const tree = parseRegex(source);
  if (tree === undefined) throw new Error(`${source} cannot be read`);
  return tree;
}

test.each(['*a', '+a', '?a', 'a**', '(', 'a)', '[a', '\\'])(
  '%s is an unreadable pattern',
  (source) => {
    expect(parseRegex(source)).toBeUndefined();
  },
);

test.each([
  ['(?=a)b', true],
  ['ab(?!c)', true],
  ['a|(?<=b)c', true],
  ['(?<!b)c|a', true],
  ['(x(?=y))*', true],
  ['(?:a|(?:b(?!c)){2})', true],
  ['^(?:a|b)+(c\\b)?$', false],
  ['(a)\\1', false],
  ['', false],
])('%s looks around: %s', (source, expected) => {
  expect(looksAround(treeOf(source))).toBe(expected);
});

test.each([
  ['', 0],
  ['^$', 0],
  ['abc', 3],
  ['ab|c|def', 1],
  ['a*b+', 1],
  ['a{3,5}', 3],
  ['(ab){2}c?', 4],
  ['(?:ab|c){2,}', 2],
  ['(?=abc)d', 1],
  ['[a-z]\\d.', 3],
])('the shortest match of %s has %i characters', (source, expected) => {
  expect(shortest(treeOf(source))).toBe(expected);
});

/** Every character that ranges write. */
function charactersOf(ranges: readonly PointRange[]): string[] {
  return ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  );
}

function isMatched(source: string, character: string): boolean {
  return new RegExp(`^${source}$`, 'u').test(character);
}

test.each([
  ...Object.entries(classEscapes).map(([name, ranges]) => [`\\${name}`, ranges] as const),
  ...Object.entries(unicodeProperties).map(([name, ranges]) => [`\\p{${name}}`, ranges] as const),
  ...Object.entries(unicodeProperties).map(
    ([name, ranges]) => [`\\P{${name}}`, complement(ranges)] as const,
  ),
])(
  'what is written for %s is that to the engine, and all of it that can be printed in ASCII',
  (source, ranges) => {
    const characters = charactersOf(ranges);
    expect(characters.length).toBeGreaterThan(0);
    expect(characters.filter((character) => !isMatched(source, character))).toEqual([]);
    expect(
      charactersOf([[0x20, 0x7e]]).filter(
        (character) => isMatched(source, character) && !characters.includes(character),
      ),
    ).toEqual([]);
  },
);
