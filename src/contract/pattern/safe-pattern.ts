import { makeLinearMatcher, type LinearMatcher } from './linear-matcher.ts';
import { isTame } from './runaway-pattern.ts';

/** A pattern that answers in bounded time, whatever text it is held against. */
export interface SafePattern {
  test(text: string): boolean;
  toString(): string;
}

/** Up to this length even a pattern that runs away is quick enough. */
const alwaysShort = 16;
/** Up to this length the engine of the language is quick with any pattern that does not run away. */
const shortForTame = 256;
/** The same where it cannot be told whether a pattern runs away, by whether it looks as if it might. */
const shortForUnknown = { suspicious: 24, plain: 2_000 } as const;

/**
 * A pattern of a schema (JSON Schema 2020-12, section 6.3.3). The language's own engine tries one way after the other, and some
 * patterns make it try for ever: longer texts are judged by a matcher that is linear in the text. For look-arounds and back references
 * there is no such matcher: a text that is too long to be judged with them is let through.
 */
export function makeSafePattern(source: string): SafePattern {
  return new GuardedPattern(compile(source));
}

/** JSON Schema asks for Unicode patterns, but many in the wild are not valid as such: those are read as plain ones. */
function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

class GuardedPattern implements SafePattern {
  readonly #pattern: RegExp;
  #longest: number | undefined;
  #linear: LinearMatcher | undefined;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  test(text: string): boolean {
    if (text.length <= alwaysShort) return this.#pattern.test(text);
    this.#longest ??= this.#measure();
    if (text.length <= this.#longest) return this.#pattern.test(text);
    return this.#linear === undefined || this.#linear(text);
  }

  toString(): string {
    return this.#pattern.toString();
  }

  /** The length up to which the pattern may be left to the engine. Most patterns never meet a text for which it matters. */
  #measure(): number {
    const { source } = this.#pattern;
    this.#linear = makeLinearMatcher(this.#pattern);
    if (this.#linear !== undefined) return isTame(source) ? shortForTame : alwaysShort;
    return /\)(?:[*+]|\{\d)/.test(source) ? shortForUnknown.suspicious : shortForUnknown.plain;
  }
}
