import { parseRegex } from '../contract/pattern/parse-regex.ts';
import {
  holds,
  looksAround,
  type PointRange,
  type RegexTree,
  shortest,
} from '../contract/pattern/regex-tree.ts';
import { lengthOf } from './code-points.ts';
import { makeRandom, type Random } from './random.ts';

/** The lengths that are wanted, in code points, both included. */
export interface Lengths {
  readonly min: number;
  readonly max: number;
}

/** Enough for look-arounds such as "a digit, a capital and a sign" to be met by chance. */
const attempts = 200;
/**
 * Longer texts are not held against the pattern here: a pattern that runs away does so on long
 * ones.
 */
const longestTested = 64;
/** Beyond these, a pattern is taken for one that was written to exhaust its reader. */
const longestPattern = 2_000;
const longestText = 20_000;

/**
 * A text that matches the pattern and has one of the lengths. Undefined where the pattern is beyond
 * what `parseRegex` reads, or where no attempt meets both. The caller has the last word on whether
 * the text is valid.
 */
export function regexText(
  pattern: string,
  lengths: Lengths,
  seed: string | number,
): string | undefined {
  const tree = pattern.length > longestPattern ? undefined : parseRegex(pattern);
  if (
    tree === undefined ||
    shortest(tree) > Math.min(lengths.max, longestText) ||
    lengths.min > longestText
  )
    return undefined;
  const expression = compilePattern(pattern);
  const chancy = looksAround(tree);
  const fewest = shortest(tree);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const random = makeRandom(`${seed}/${attempt}`);
    const usual = Math.max(
      fewest + random.integer(0, 4),
      lengths.min,
      chancy ? Math.min(12, lengths.max) : 0,
    );
    const target = Math.min(usual, lengths.max);
    const writer = new RegexWriter(random, {
      spare: target - fewest,
      greedy: attempt % 2 === 1,
      wide: chancy && attempt % 3 > 0,
    });
    const text = writer.write(tree);
    const length = lengthOf(text);
    if (length < lengths.min || length > lengths.max) continue;
    if (length > longestTested || expression?.test(text) === true) return text;
  }
  return undefined;
}

interface WriterOptions {
  /** How many code points may be written beyond the fewest. */
  readonly spare: number;
  /** Whether the first repetition takes all of them. */
  readonly greedy: boolean;
  /** Whether every printable character is used, and not only letters and digits. */
  readonly wide: boolean;
}

class RegexWriter {
  readonly #random: Random;
  readonly #options: WriterOptions;
  readonly #groups = new Map<string, string>();
  #spare: number;

  constructor(random: Random, options: WriterOptions) {
    this.#random = random;
    this.#options = options;
    this.#spare = Math.max(0, options.spare);
  }

  write(tree: RegexTree): string {
    switch (tree.kind) {
      case 'point':
        return String.fromCodePoint(this.#point(tree.ranges));
      case 'sequence':
        return tree.parts.map((part) => this.write(part)).join('');
      case 'choice':
        return this.#choice(tree.options);
      case 'repeat':
        return this.#repeat(tree.part, tree.min, tree.max);
      case 'group':
        return this.#group(tree.names, tree.part);
      case 'echo':
        return this.#groups.get(tree.name) ?? '';
      case 'look':
        return '';
    }
  }

  #choice(options: readonly RegexTree[]): string {
    const fewest = Math.min(...options.map(shortest));
    const affordable = options.filter((option) => shortest(option) - fewest <= this.#spare);
    const chosen = this.#random.pick(affordable);
    this.#spare -= shortest(chosen) - fewest;
    return this.write(chosen);
  }

  #repeat(part: RegexTree, min: number, max: number): string {
    const cost = Math.max(1, shortest(part));
    const possible = Math.min(max - min, Math.floor(this.#spare / cost));
    const more = this.#options.greedy ? possible : this.#random.integer(0, possible);
    const texts: string[] = [];
    for (let count = 0; count < min; count += 1) texts.push(this.write(part));
    for (let count = 0; count < more && this.#spare >= cost; count += 1) {
      this.#spare -= cost;
      texts.push(this.write(part));
    }
    return texts.join('');
  }

  #group(names: readonly string[], part: RegexTree): string {
    const text = this.write(part);
    for (const name of names) this.#groups.set(name, text);
    return text;
  }

  #point(ranges: readonly PointRange[]): number {
    const readable = this.#options.wide ? [] : readablePoints(ranges);
    if (readable.length > 0) return this.#random.pick(readable);
    const ascii = ranges
      .map(([from, to]) => [Math.max(from, 0x20), Math.min(to, 0x7e)] as const)
      .filter(([from, to]) => from <= to);
    const [from, to] = this.#random.pick(ascii.length > 0 ? ascii : ranges);
    return this.#random.integer(from, Math.max(from, to));
  }
}

const readable = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].map(
  (points) => Array.from(points, (point) => point.charCodeAt(0)),
);

/**
 * The letters and digits of a class: small letters before capitals before digits, since words are
 * read before codes.
 */
function readablePoints(ranges: readonly PointRange[]): readonly number[] {
  for (const points of readable) {
    const held = points.filter((point) => holds(ranges, point));
    if (held.length > 0) return held;
  }
  return [];
}

/**
 * A pattern as JSON Schema reads it (2020-12 core, section 6.4): with the flag `u`, or without it
 * where the pattern is not valid so, as many in the wild are not. Undefined where it is no regular
 * expression at all.
 */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The other reading, or none.
    }
  }
  return undefined;
}
