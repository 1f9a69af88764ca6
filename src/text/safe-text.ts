import type { Place } from '../errors.ts';
import { formatNumber } from './counts.ts';

/** DEL, C1 and hidden characters, for a character class of a regular expression. */
const hiddenBeyondC0 = [
  ...['\\u007f-\\u009f', '\\u00ad', '\\u061c', '\\u200b', '\\u200e', '\\u200f'],
  ...['\\u2028-\\u202e', '\\u2060-\\u2069', '\\ufeff', '\\ufff9-\\ufffb', '\\ufffe', '\\uffff'],
  '\\u{e0000}-\\u{e007f}',
].join('');

/**
 * Characters that a terminal interprets or hides: C0 (except tab and line feed), DEL, C1, soft
 * hyphen, zero-width and bidi characters, line separators, tag characters, lone surrogates,
 * non-characters.
 */
const hidden = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${hiddenBeyondC0}]|\\p{Cs}`, 'gu');

/**
 * Makes text of several lines safe for a terminal: control and hidden characters become escapes
 * (`\x1b`, `\u202e`).
 */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hidden, showCharacter);
}

/** Makes text safe for one line: line feeds and tabs become escapes too. */
export function cleanLine(text: string): string {
  return text
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll(hidden, showCharacter);
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/**
 * Cuts a text after a number of characters, and says how many are left out. Never splits a
 * surrogate pair.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const shown = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${formatNumber(text.length - shown.length)} more characters)`;
}

const commandStart = /^([^\S\n]*):(?=:)/gm;

/**
 * Disables lines that a CI system would execute: GitHub interprets `::command::` at the start of a
 * line, after optional blanks, and `##[command]` anywhere. Escapes the first colon, or the second
 * hash.
 */
export function disarmCommands(text: string): string {
  return text.replaceAll(commandStart, '$1\\x3a').replaceAll('##[', '#\\x23[');
}

/** The characters that XML 1.0 does not allow, not even as references (section 2.2). */
const outsideXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
const xmlReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};
const xmlBlanks: Readonly<Record<string, string>> = { '\t': '&#9;', '\n': '&#10;' };

/**
 * Escapes text as XML character data and drops forbidden characters. Commands of CI systems are
 * written with references.
 */
export function escapeXmlText(text: string): string {
  const escaped = text
    .replaceAll(outsideXml, '')
    .replaceAll(/[&<>"'\r]/g, (character) => xmlReferences[character] ?? '');
  return escaped.replaceAll(commandStart, '$1&#58;').replaceAll('##[', '#&#35;[');
}

/**
 * Escapes text as an XML attribute value, without quotes. Line feeds and tabs become references
 * (section 3.3.3).
 */
export function escapeXmlAttribute(text: string): string {
  return escapeXmlText(text).replaceAll(/[\t\n]/g, (character) => xmlBlanks[character] ?? '');
}

/** Escapes the message of a GitHub workflow command. Line breaks become `%0A`. */
export function escapeGitHubMessage(text: string): string {
  return disarmCommands(cleanText(text))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/** Escapes a property of a GitHub workflow command, such as `file` or `title`. */
export function escapeGitHubProperty(text: string): string {
  return escapeGitHubMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The annotation of a line for GitHub Actions. */
export function gitHubAnnotation(
  severity: 'error' | 'warning' | 'note',
  { file, line, column }: Place,
  title: string,
  text: string,
): string {
  const properties = [
    `file=${escapeGitHubProperty(file)}`,
    `line=${String(line)}`,
    `col=${String(column)}`,
    `title=${escapeGitHubProperty(title)}`,
  ];
  const command = severity === 'note' ? 'notice' : severity;
  return `::${command} ${properties.join(',')}::${escapeGitHubMessage(text)}`;
}

/**
 * Characters to escape besides those of `JSON.stringify`: control and hidden characters, and the
 * mark of a CI command.
 */
const hiddenInJson = new RegExp(`[${hiddenBeyondC0}]|#(?=#\\[)`, 'gu');

/** Formats JSON that is safe for terminals and CI logs; it parses to the same value. */
export function writeJson(value: unknown, indent = 0): string {
  // These characters occur only inside JSON strings, where an escape is valid.
  return JSON.stringify(value, null, indent).replaceAll(hiddenInJson, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
