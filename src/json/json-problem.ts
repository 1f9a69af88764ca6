/** The reasons why vouch rejects a JSON text. */
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

/** An error in a text and its offset, in UTF-16 code units of the decoded text. */
export interface JsonFault {
  readonly code: JsonProblemCode;
  /** What was found and what was expected, without the location. */
  readonly reason: string;
  readonly offset: number;
}

/** What is wrong in a text. */
export interface TextProblem extends TextPosition {
  readonly message: string;
}

/** An error for display: `message` has the reason and the location. */
export type JsonProblem = JsonFault & TextProblem;

/** Adds line, column and a complete message to an error. */
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

/** The code point of a character: `U+000A`. */
export function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** As JSON, YAML and JSONPath write a character of the basic plane. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A position in a text as editors count it: 1-based, columns in UTF-16 code units. */
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

/** The limits of `parseJson` besides the grammar. Every member has a default. */
export interface JsonLimits {
  /** The maximum nesting of arrays and objects. Default 64, at most 1,000. */
  readonly maxDepth?: number;
  /** RFC 8259, section 4: names should be unique. If allowed, the last one applies. */
  readonly duplicateKeys?: 'refuse' | 'allow';
  /** Member names that are refused at any level. Default: `__proto__`. */
  readonly forbiddenKeys?: readonly string[];
  /** How to treat half of a surrogate pair, escaped or raw (RFC 8259, section 8.2). */
  readonly loneSurrogates?: 'refuse' | 'allow';
}

const word = /[^\s,:[\]{}"]{1,41}/y;
const invisible = /[\p{C}\p{Z}]/u;

/**
 * Describes the text at an offset for a message: a word, a string, a character by its code point,
 * or the end.
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

/** Common mistakes from other languages, with an explanation. */
const commonMistakes: readonly (readonly [start: RegExp, hint: string])[] = [
  [/^['‘’“”`]/, 'JSON quotes text with "'],
  [/^(\/\/|\/\*|#)/, 'JSON has no comments'],
  [/^[-+]?(NaN|Infinity|inf)\b/i, 'JSON has no such number'],
  [/^(true|yes|on)$/i, 'JSON writes it `true`'],
  [/^(false|no|off)$/i, 'JSON writes it `false`'],
  [/^(null|none|nil|undefined)$/i, 'JSON writes it `null`'],
];

/** The explanation of a common mistake at an offset, or ''. */
export function findHint(text: string, offset: number): string {
  const found = wordAt(text, offset) ?? text[offset] ?? '';
  const habit = commonMistakes.find(([start]) => start.test(found));
  return habit === undefined ? '' : ` (${habit[1]})`;
}
