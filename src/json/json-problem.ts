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

const maxQuoteLength = 40;

/**
 * An excerpt for a message: in backticks, at most 40 characters, invisible characters as their code
 * points.
 */
export function quoteExcerpt(text: string): string {
  const cut = text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
  return `\`${cut.replaceAll(/[\p{C}\u2028\u2029]/gu, nameCharacter)}\``;
}

/** A character by its number: `U+000A`. */
export function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A place in a text as editors count it: both 1-based, columns in UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const lineBreak = /\r\n|\r|\n/g;

/**
 * The line and column of an offset; `\n`, `\r\n` and a lone `\r` end a line. Linear in the offset.
 */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  let line = 1;
  let lineStart = 0;
  for (const { 0: found, index } of before.matchAll(lineBreak)) {
    line += 1;
    lineStart = index + found.length;
  }
  return { line, column: before.length - lineStart + 1 };
}

/** What `parseJson` refuses beyond broken grammar. Every member has a default. */
export interface JsonLimits {
  /** How many arrays and objects may stand inside each other: 64 unless told, at most 1,000. */
  readonly maxDepth?: number;
  /** RFC 8259, section 4: names should be unique. Allowed, the last one wins. */
  readonly duplicateKeys?: 'refuse' | 'allow';
  /** Member names that are refused at any level: `__proto__` unless told. */
  readonly forbiddenKeys?: readonly string[];
  /** Half of a surrogate pair, escaped or raw (RFC 8259, section 8.2). */
  readonly loneSurrogates?: 'refuse' | 'allow';
}

const defaults: Required<JsonLimits> = {
  maxDepth: 64,
  duplicateKeys: 'refuse',
  forbiddenKeys: ['__proto__'],
  loneSurrogates: 'refuse',
};

/** Deeper values would overflow the stack of recursive functions. */
const maxAllowedDepth = 1000;

/** The limits with their defaults filled in, and the depth held to 1,000. */
export function completeLimits(limits: JsonLimits | undefined): Required<JsonLimits> {
  if (limits === undefined) return defaults;
  const {
    maxDepth = defaults.maxDepth,
    duplicateKeys = defaults.duplicateKeys,
    forbiddenKeys = defaults.forbiddenKeys,
    loneSurrogates = defaults.loneSurrogates,
  } = limits;
  return {
    maxDepth: Math.min(maxDepth, maxAllowedDepth),
    duplicateKeys,
    forbiddenKeys,
    loneSurrogates,
  };
}

const word = /[^\s,:[\]{}"]{1,41}/y;
const invisible = /[\p{C}\p{Z}]/u;

/**
 * What stands at an offset, in words for a message: a word, a string, a character by its number,
 * the end of the text.
 */
export function describeFound(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  if (code === undefined) return 'the end of the text';
  if (text[offset] === '"')
    return `the string ${quoteExcerpt(text.slice(offset, offset + 42).replace(/(?<=.)".*/s, '"'))}`;
  const character = String.fromCodePoint(code);
  if (invisible.test(character)) return `the character ${nameCharacter(character)}`;
  return quoteExcerpt(wordAt(text, offset) ?? character);
}

function wordAt(text: string, offset: number): string | undefined {
  word.lastIndex = offset;
  return word.exec(text)?.[0];
}

/** Habits of other languages, and what JSON says to them. */
const commonMistakes: readonly (readonly [start: RegExp, hint: string])[] = [
  [/^['‘’“”`]/, 'JSON quotes text with "'],
  [/^(\/\/|\/\*|#)/, 'JSON has no comments'],
  [/^[-+]?(NaN|Infinity|inf)\b/i, 'JSON has no such number'],
  [/^(true|yes|on)$/i, 'JSON writes it `true`'],
  [/^(false|no|off)$/i, 'JSON writes it `false`'],
  [/^(null|none|nil|undefined)$/i, 'JSON writes it `null`'],
];

/** A remark on a habit that explains what stands at an offset, or an empty text. */
export function findHint(text: string, offset: number): string {
  const found = wordAt(text, offset) ?? text[offset] ?? '';
  const habit = commonMistakes.find(([start]) => start.test(found));
  return habit === undefined ? '' : ` (${habit[1]})`;
}
