import { decidePattern } from '../contract/pattern/safe-pattern.ts';
import { parseRegex } from '../contract/pattern/parse-regex.ts';
import type { PointRange, RegexTree } from '../contract/pattern/regex-tree.ts';
import { holds, looksAround, shortest } from '../contract/pattern/regex-tree.ts';
import { lengthOf } from './code-points.ts';
import { makeRandom, type Random } from './random.ts';

/** The allowed lengths in code points, inclusive. */
export interface Lengths {
  readonly min: number;
  readonly max: number;
}

/** Enough attempts to satisfy look-aheads such as "a digit, a capital and a sign" by chance. */
const attempts = 200;
/**
 * Longer texts are not tested against the pattern here, because they can cause catastrophic
 * backtracking.
 */
const longestTested = 64;
/** A longer pattern is treated as a denial-of-service attempt. */
const longestPattern = 2_000;
const longestText = 20_000;

/**
 * A text that matches the pattern and has an allowed length. Undefined if `parseRegex` does not
 * support the pattern, or if no attempt succeeds. The caller validates the text.
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
  return (
    writtenText(tree, { pattern, lengths, seed }) ??
    writtenText(tree, { pattern, lengths, seed, isFilledUp: true })
  );
}

interface Wanted {
  readonly pattern: string;
  readonly lengths: Lengths;
  readonly seed: string | number;
  /** Whether texts that are too short get letters where the pattern is not anchored. */
  readonly isFilledUp?: boolean;
}

function writtenText(
  tree: RegexTree,
  { pattern, lengths, seed, isFilledUp = false }: Wanted,
): string | undefined {
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
    const written = writer.write(tree);
    const text = isFilledUp ? filledUp(written, pattern, lengths) : written;
    const length = lengthOf(text);
    if (length < lengths.min || length > lengths.max) continue;
    if (length > longestTested || decidePattern(pattern, text) === true) return text;
  }
  return undefined;
}

/** A text of the least length, where a pattern is not anchored: it matches a part of the text. */
function filledUp(text: string, pattern: string, { min }: Lengths): string {
  const missing = min - lengthOf(text);
  if (missing <= 0 || missing > longestTested) return text;
  const more = 'a'.repeat(missing);
  return [text + more, more + text].find((one) => decidePattern(pattern, one) === true) ?? text;
}

interface WriterOptions {
  /** The number of code points beyond the minimum that may be written. */
  readonly spare: number;
  /** Whether the first repetition uses all of them. */
  readonly greedy: boolean;
  /** Whether to use every printable character instead of letters and digits. */
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

/** The letters and digits of a class: lower case, then upper case, then digits. */
function readablePoints(ranges: readonly PointRange[]): readonly number[] {
  for (const points of readable) {
    const held = points.filter((point) => holds(ranges, point));
    if (held.length > 0) return held;
  }
  return [];
}
