import { type LinearMatcher, makeLinearMatcher, type Spend } from './linear-matcher.ts';
import { compilePattern } from './read-pattern.ts';

/** A pattern that answers in bounded time, whatever text it is held against. */
export interface SafePattern {
  test(text: string): boolean;
  toString(): string;
}

/** Attempts of the language's engine that are few enough not to look for another way. */
const fewAttempts = 5_000;
/** The same where there is no other way. */
const maxAttempts = 5_000_000;
/** So many attempts take the time of one unit of work. */
const attemptsPerUnit = 4;

/**
 * A pattern of a schema (JSON Schema 2020-12, section 6.3.3). The language's own engine tries one
 * way after the other, and some patterns make it try for ever: it is asked only where few attempts
 * are possible. A matcher that is linear in the text judges the rest. For look-arounds and back
 * references there is no such matcher: a text that is too long to be judged with them is accepted.
 * What a test costs is told to `spend`.
 */
export function makeSafePattern(source: string, spend: Spend = () => {}): SafePattern {
  return new GuardedPattern(compilePattern(source) ?? new RegExp(source, 'u'), spend);
}

class GuardedPattern implements SafePattern {
  readonly #pattern: RegExp;
  readonly #spend: Spend;
  readonly #backtracking: Backtracking;
  #linear: { readonly matcher: LinearMatcher | undefined } | undefined;

  constructor(pattern: RegExp, spend: Spend) {
    this.#pattern = pattern;
    this.#spend = spend;
    this.#backtracking = measureBacktracking(pattern.source);
  }

  test(text: string): boolean {
    const attempts = this.#backtracking.attempts(text.length);
    if (attempts <= fewAttempts) return this.#native(text, attempts);
    // Most patterns never meet a text for which a matcher has to be made.
    this.#linear ??= { matcher: makeLinearMatcher(this.#pattern) };
    const { matcher } = this.#linear;
    if (matcher !== undefined) return matcher(text, this.#spend);
    return attempts > maxAttempts || this.#native(text, attempts);
  }

  toString(): string {
    return this.#pattern.toString();
  }

  #native(text: string, attempts: number): boolean {
    this.#spend(1 + attempts / attemptsPerUnit);
    return this.#pattern.test(text);
  }
}

/** How many attempts a backtracking engine may make with a pattern. */
interface Backtracking {
  /** The most attempts for a text of so many characters, roughly: an upper bound for its growth. */
  attempts(length: number): number;
}

/** An engine makes this many attempts for each character of a text even where nothing varies. */
const minAttemptsPerCharacter = 1;

/**
 * Measures how far a backtracking engine may run away with a pattern, by its source. Each
 * quantifier that can take more or less adds a power of the length; a quantified group multiplies
 * with each character. What stands in a look-around is decided once, and so counts for itself.
 */
export function measureBacktracking(source: string): Backtracking {
  const { varying, repeatsGroup, isAnchored } = readQuantifiers(source);
  const waysPerCharacter = 2 + (source.match(/\|/g)?.length ?? 0);
  const powers = varying + (isAnchored ? 0 : 1);
  return {
    attempts: (length) => {
      const polynomial = Math.max(
        minAttemptsPerCharacter * length,
        Math.min(length, 1e6) ** Math.max(1, powers),
      );
      return repeatsGroup
        ? Math.max(polynomial, waysPerCharacter ** Math.min(length, 500))
        : polynomial;
    },
  };
}

interface Quantifiers {
  /** The most quantifiers of varying width in one part: outside, or in one look-around. */
  readonly varying: number;
  readonly repeatsGroup: boolean;
  readonly isAnchored: boolean;
}

const escape = /\\(?:[pPu]\{[^}]*\}|.)/su;
const set = /\[(?:\\.|[^\]\\])*\]/su;
const group = /\(\?<?[=!]|\(|\)(?:[*+?]|\{\d+(?:,\d*)?\})?/su;
const quantifier = /[*+?]|\{\d+,\d*\}/su;
const sources = [escape, set, group, quantifier].map(({ source }) => source);
const pieces = new RegExp(sources.join('|'), 'gsu');

function readQuantifiers(source: string): Quantifiers {
  const inParts: number[] = [0];
  const open: number[] = [];
  let [part, repeatsGroup] = [0, false];
  for (const [piece] of source.matchAll(pieces)) {
    if (piece.startsWith('(')) {
      open.push(part);
      if (piece.length > 1) part = inParts.push(0) - 1;
    } else if (piece.startsWith(')')) {
      part = open.pop() ?? 0;
      // An optional group varies once; one that may come several times can vary each time.
      if (piece === ')?') inParts[part] = (inParts[part] ?? 0) + 1;
      else if (piece.length > 1 && piece !== '){1}') repeatsGroup = true;
    } else if (/^[*+?{]/.test(piece)) inParts[part] = (inParts[part] ?? 0) + 1;
  }
  return {
    varying: Math.max(...inParts),
    repeatsGroup,
    isAnchored: source.startsWith('^') && !source.includes('|'),
  };
}
