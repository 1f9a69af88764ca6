import { nameCharacter, quoteExcerpt } from './json-problem.ts';

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
const habits: readonly (readonly [start: RegExp, hint: string])[] = [
  [/^['‘’“”`]/, 'JSON quotes text with "'],
  [/^(\/\/|\/\*|#)/, 'JSON has no comments'],
  [/^[-+]?(NaN|Infinity|inf)\b/i, 'JSON has no such number'],
  [/^(true|yes|on)$/i, 'JSON writes it `true`'],
  [/^(false|no|off)$/i, 'JSON writes it `false`'],
  [/^(null|none|nil|undefined)$/i, 'JSON writes it `null`'],
];

/** A remark on a habit that explains what stands at an offset, or an empty text. */
export function hintFor(text: string, offset: number): string {
  const found = wordAt(text, offset) ?? text[offset] ?? '';
  const habit = habits.find(([start]) => start.test(found));
  return habit === undefined ? '' : ` (${habit[1]})`;
}
