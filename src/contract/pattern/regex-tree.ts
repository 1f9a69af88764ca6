/** Code points from `from` to `to`, both included. */
export type PointRange = readonly [from: number, to: number];

/**
 * What must hold at a position where nothing is read: the beginning or the end of the text, a word
 * boundary or none.
 */
export type Assertion = '^' | '$' | 'b' | 'B';

/**
 * A regular expression as a tree for generating texts. Anchors and boundaries write nothing: they
 * are empty sequences with an assertion. `source` is a point as written in the pattern, for code
 * that matches instead of writing.
 */
export type RegexTree =
  | { readonly kind: 'point'; readonly ranges: readonly PointRange[]; readonly source: string }
  | {
      readonly kind: 'sequence';
      readonly parts: readonly RegexTree[];
      readonly asserts?: Assertion;
    }
  | { readonly kind: 'choice'; readonly options: readonly RegexTree[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexTree;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'group'; readonly names: readonly string[]; readonly part: RegexTree }
  | { readonly kind: 'echo'; readonly name: string }
  | { readonly kind: 'look' };

/** Printable ASCII, which needs no escaping. */
export const printable: readonly PointRange[] = [[0x20, 0x7e]];

const digit: readonly PointRange[] = [[0x30, 0x39]];
const letter: readonly PointRange[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];
const wordPoint: readonly PointRange[] = [...digit, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const blank: readonly PointRange[] = [
  [0x20, 0x20],
  [0x09, 0x0d],
];
const punctuation: readonly PointRange[] = [
  [0x21, 0x23],
  [0x25, 0x2a],
  [0x2c, 0x2f],
  [0x3a, 0x3b],
  [0x3f, 0x40],
  [0x5b, 0x5d],
  [0x5f, 0x5f],
  [0x7b, 0x7b],
  [0x7d, 0x7d],
];

/**
 * The class escapes (ECMA-262, section 22.2.1), narrowed to ASCII: enough to write texts, not to
 * match them.
 */
export const classEscapes: Readonly<Record<string, readonly PointRange[]>> = {
  d: digit,
  w: wordPoint,
  s: blank,
  D: complement(digit),
  W: complement(wordPoint),
  S: complement(blank),
};

/** The Unicode properties that patterns commonly name, by their ASCII members. */
export const unicodeProperties: Readonly<Record<string, readonly PointRange[]>> = {
  L: letter,
  Letter: letter,
  Alphabetic: letter,
  Lu: [[0x41, 0x5a]],
  Uppercase_Letter: [[0x41, 0x5a]],
  Ll: [[0x61, 0x7a]],
  Lowercase_Letter: [[0x61, 0x7a]],
  N: digit,
  Number: digit,
  Nd: digit,
  P: punctuation,
  Punctuation: punctuation,
  Zs: [[0x20, 0x20]],
  S: [
    [0x24, 0x24],
    [0x2b, 0x2b],
    [0x3c, 0x3e],
    [0x5e, 0x5e],
    [0x60, 0x60],
    [0x7c, 0x7c],
    [0x7e, 0x7e],
  ],
  ASCII: printable,
};

/** Printable ASCII without the ranges; Latin letters beyond ASCII if nothing is left. */
export function complement(ranges: readonly PointRange[]): readonly PointRange[] {
  const left: PointRange[] = [];
  for (let point = 0x20; point <= 0x7e; point += 1)
    if (!holds(ranges, point)) left.push([point, point]);
  return left.length > 0 ? left : [[0xe0, 0xf6]];
}

export function holds(ranges: readonly PointRange[], point: number): boolean {
  return ranges.some(([from, to]) => point >= from && point <= to);
}

/** The smallest number of code points that a tree writes. */
export function shortest(tree: RegexTree): number {
  switch (tree.kind) {
    case 'point':
      return 1;
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + shortest(part), 0);
    case 'choice':
      return Math.min(...tree.options.map(shortest));
    case 'repeat':
      return tree.min === 0 ? 0 : tree.min * shortest(tree.part);
    case 'group':
      return shortest(tree.part);
    default:
      return 0;
  }
}

/** Whether a tree holds a look-around, which the generator does not satisfy on purpose. */
export function looksAround(tree: RegexTree): boolean {
  switch (tree.kind) {
    case 'sequence':
      return tree.parts.some(looksAround);
    case 'choice':
      return tree.options.some(looksAround);
    case 'repeat':
    case 'group':
      return looksAround(tree.part);
    default:
      return tree.kind === 'look';
  }
}
