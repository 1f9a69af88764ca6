import type { JsonLimits } from './json-limits.ts';
import { nameCharacter, quoteExcerpt, type JsonFault } from './json-problem.ts';
import { positionAt } from './text-position.ts';

/** The offset after what was read, or what is wrong with it. */
export type Step = number | JsonFault;

/** The offset of the next character that is not JSON's white space (RFC 8259, section 2). */
export function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const literals = ['true', 'false', 'null'];

/** Reads `true`, `false` or `null`; undefined where none of them stands. */
export function readLiteral(text: string, offset: number): Step | undefined {
  const literal = literals.find((word) => text.startsWith(word, offset));
  if (literal === undefined) return undefined;
  const end = offset + literal.length;
  return /\w/.test(text.charAt(end)) ? undefined : end;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const numberLike = /[-+]?\.?[0-9][-+.\w]*|-(?![-+.\w])/y;

/**
 * Reads a number (RFC 8259, section 6) that a double can hold; undefined where nothing like a
 * number stands.
 */
export function readNumber(text: string, offset: number): Step | undefined {
  numberLike.lastIndex = offset;
  const found = numberLike.exec(text)?.[0];
  if (found === undefined) return undefined;
  number.lastIndex = offset;
  const source = number.exec(text)?.[0] ?? '';
  if (source !== found)
    return {
      code: 'syntax',
      reason: `expected a number, found ${quoteExcerpt(found)}${rebuke(found)}`,
      offset,
    };
  if (Number.isFinite(Number(source))) return offset + source.length;
  return {
    code: 'number-range',
    reason: `the number ${quoteExcerpt(source)} is beyond what a double can hold (1.8e308)`,
    offset,
  };
}

function rebuke(found: string): string {
  if (/^[-+]?0[xob]/i.test(found)) return ' (JSON writes numbers in decimal)';
  if (found.startsWith('+')) return ' (JSON allows no `+` before a number)';
  if (/^-?0[0-9]/.test(found)) return ' (JSON allows no leading zero)';
  if (/^-?\.|\.(?![0-9])/.test(found)) return ' (a digit must stand on each side of the point)';
  return '';
}

const plainPart = /[^"\\\u0000-\u001f\ud800-\udfff]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const pair = /[\ud800-\udbff][\udc00-\udfff]/y;
const escapedPair = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;
const escapedHalf = /^\\u[dD][89a-fA-F]/;

/** Reads a string, quotes included (RFC 8259, section 7). Linear in its length. */
export function readString(text: string, offset: number, limits: Required<JsonLimits>): Step {
  let at = offset + 1;
  for (;;) {
    at = after(plainPart, text, at) ?? at;
    if (text[at] === '"') return at + 1;
    const step = readSpecial(text, at, limits, offset);
    if (typeof step !== 'number') return step;
    at = step;
  }
}

/**
 * Reads what a plain run of characters stops at: an escape or a surrogate; everything else there is
 * wrong.
 */
function readSpecial(text: string, at: number, limits: Required<JsonLimits>, start: number): Step {
  const found = text[at];
  if (found === undefined) return unclosed(text, at, start);
  if (found < ' ') return controlInside(found, at);
  const whole = after(escapedPair, text, at) ?? after(pair, text, at);
  if (whole !== undefined) return whole;
  const escaped = after(escape, text, at);
  const isHalf =
    found !== '\\' || (escaped !== undefined && escapedHalf.test(text.slice(at, at + 4)));
  if (isHalf && limits.loneSurrogates === 'refuse') {
    const half = found === '\\' ? text.slice(at, at + 6) : nameCharacter(found);
    return {
      code: 'lone-surrogate',
      reason: `the string holds \`${half}\`, which is half of a surrogate pair and no character`,
      offset: at,
    };
  }
  if (escaped !== undefined) return escaped;
  return isHalf ? at + 1 : brokenEscape(text, at, start);
}

function brokenEscape(text: string, at: number, start: number): JsonFault {
  if (at + 1 >= text.length) return unclosed(text, text.length, start);
  const isUnicode = text[at + 1] === 'u';
  const expected = isUnicode
    ? 'four hexadecimal digits after `\\u`'
    : 'one of `" \\ / b f n r t u` after the backslash';
  const found = quoteExcerpt(text.slice(at, at + (isUnicode ? 6 : 2)));
  return { code: 'syntax', reason: `expected ${expected}, found ${found}`, offset: at };
}

function unclosed(text: string, at: number, start: number): JsonFault {
  const { line, column } = positionAt(text, start);
  const reason = `expected \`"\` after the string that begins at line ${line}, column ${column}, found the end of the text`;
  return { code: 'syntax', reason, offset: at };
}

function controlInside(found: string, at: number): JsonFault {
  const escaped = JSON.stringify(found).slice(1, -1);
  const reason = `expected the rest of a string, found ${nameControl(found)} (inside a string it is written \`${escaped}\`)`;
  return { code: 'syntax', reason, offset: at };
}

function nameControl(found: string): string {
  if (found === '\n' || found === '\r') return 'a line break';
  if (found === '\t') return 'a tab';
  return `the character ${nameCharacter(found)}`;
}

function after(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
