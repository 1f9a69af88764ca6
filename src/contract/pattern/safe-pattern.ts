import { makeLinearMatcher, type LinearMatcher, type Spend } from './linear-matcher.ts';
import { measureBacktracking, type Backtracking } from './backtracking.ts';

/** A pattern that answers in bounded time, whatever text it is held against. */
export interface SafePattern {
  test(text: string): boolean;
  toString(): string;
}

/** Attempts of the language's engine that are few enough not to look for another way. */
const fewAttempts = 5_000;
/** The same where there is no other way. */
const mostAttempts = 5_000_000;
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
  return new GuardedPattern(compile(source), spend);
}

/**
 * JSON Schema asks for Unicode patterns, but many in the wild are not valid as such: those are read
 * as plain ones.
 */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
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
    return attempts > mostAttempts || this.#native(text, attempts);
  }

  toString(): string {
    return this.#pattern.toString();
  }

  #native(text: string, attempts: number): boolean {
    this.#spend(1 + attempts / attemptsPerUnit);
    return this.#pattern.test(text);
  }
}
