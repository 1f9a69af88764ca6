import { WorkBudget, WorkBudgetExceeded } from '../../json/work-budget.ts';
import { lazy } from '../lazy.ts';
import { makeLinearMatcher, type Spend } from './linear-matcher.ts';
import { compilePattern } from './read-pattern.ts';

/** A pattern whose matching time is bounded for any text. */
export interface SafePattern {
  /** Whether a text has a match; true where that cannot be decided. */
  test(text: string): boolean;
  /** The same; undefined where it cannot be decided. */
  decide(text: string): boolean | undefined;
  toString(): string;
}

/** With fewer attempts the language's own engine is used at once. */
const fewAttempts = 5_000;
/** The limit if there is no linear matcher. */
const maxAttempts = 5_000_000;
/** The number of attempts that take the time of one unit of work. */
const attemptsPerUnit = 4;

/**
 * A pattern of a schema (JSON Schema 2020-12, section 6.3.3). The language's engine backtracks, and
 * some patterns make it run practically for ever: it is used only if few attempts are possible.
 * Otherwise a matcher that is linear in the text decides. There is none for look-arounds and back
 * references: a text that is too long to match with them is accepted. `spend` receives the cost of
 * each test.
 */
export function makeSafePattern(source: string, spend: Spend = () => {}): SafePattern {
  const pattern = compilePattern(source) ?? new RegExp(source, 'u');
  const backtracking = measureBacktracking(pattern.source);
  // Most patterns never meet a text that needs a linear matcher.
  const linear = lazy(() => makeLinearMatcher(pattern));
  const decide = (text: string): boolean | undefined => {
    const attempts = backtracking.attempts(text.length);
    const matcher = attempts <= fewAttempts ? undefined : linear();
    if (matcher !== undefined) return matcher(text, spend);
    if (attempts > maxAttempts) return undefined;
    spend(1 + attempts / attemptsPerUnit);
    return pattern.test(text);
  };
  return { decide, test: (text) => decide(text) ?? true, toString: () => pattern.toString() };
}

/** A pattern that is decided within a budget for each text. */
export interface BoundedPattern {
  readonly source: string;
  /** Whether a text has a match; undefined where that is too much work. */
  decide(text: string): boolean | undefined;
  toString(): string;
}

/** A pattern of a person, for texts of others. Throws if it is not a regular expression. */
export function makeBoundedPattern(source: string): BoundedPattern {
  let budget = new WorkBudget();
  const pattern = makeSafePattern(source, (units) => {
    budget.spend(units);
  });
  return {
    source,
    decide(text) {
      budget = new WorkBudget();
      try {
        return pattern.decide(text);
      } catch (error) {
        if (error instanceof WorkBudgetExceeded) return undefined;
        throw error;
      }
    },
    toString: () => pattern.toString(),
  };
}

/**
 * Whether a text has a match of a pattern; undefined where that is too much work, or where the
 * pattern is no regular expression.
 */
export function decidePattern(source: string, text: string): boolean | undefined {
  return compilePattern(source) === undefined ? undefined : makeBoundedPattern(source).decide(text);
}

/** The number of attempts that a backtracking engine may make with a pattern. */
interface Backtracking {
  /** A rough upper bound of the attempts for a text of this many characters. */
  attempts(length: number): number;
}

/** The attempts per character of a text even if nothing varies. */
const minAttemptsPerCharacter = 1;

/**
 * Estimates from the source of a pattern how far a backtracking engine may backtrack. Each
 * quantifier of varying width adds a power of the length; a quantified group multiplies with each
 * character. A look-around is decided once, and therefore counts separately.
 */
function measureBacktracking(source: string): Backtracking {
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
      // An optional group varies once; a repeated one can vary each time.
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
