import { positionAt } from './text-position.ts';

/** The ways in which a text can fail to be JSON that vouch takes. */
export type JsonProblemCode =
  | 'encoding'
  | 'byte-order-mark'
  | 'empty'
  | 'syntax'
  | 'depth'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'number-range'
  | 'lone-surrogate';

/** What is wrong with a text and at which offset, in UTF-16 code units of the decoded text. */
export interface JsonFault {
  readonly code: JsonProblemCode;
  /**
   * What was found and what was expected, without the place: for a reader who is shown the place
   * apart.
   */
  readonly reason: string;
  readonly offset: number;
}

/**
 * A fault as a person reads it: `message` is the reason and the place; line and column are 1-based.
 */
export interface JsonProblem extends JsonFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A fault with its line and column, and the sentence that names them. */
export function locateFault(fault: JsonFault, text: string): JsonProblem {
  const { line, column } = positionAt(text, fault.offset);
  return { ...fault, line, column, message: `${fault.reason}, at line ${line}, column ${column}` };
}

const longestQuote = 40;

/**
 * A piece of a text for use in a message: in backticks, cut to 40 characters, what nobody can see
 * written as its number.
 */
export function quoteExcerpt(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
  return `\`${cut.replaceAll(/[\p{C}\u2028\u2029]/gu, nameCharacter)}\``;
}

/** A character by its number: `U+000A`. */
export function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
