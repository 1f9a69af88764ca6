import { formatNumber } from './counts.ts';

/**
 * What a terminal would obey or hide: C0 (but tab and line feed), DEL, C1, soft hyphen, zero-width
 * and bidi characters, line separators, tag characters, lone surrogates, non-characters.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/**
 * Text of several lines, fit for a terminal: what is hidden or obeyed there is written as an escape
 * (`\x1b`, `\u202e`).
 */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hidden, showCharacter);
}

/** The same on one line: line feeds and tabs are written as escapes too. */
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

/** The first characters of a text, and how many were left out. Never cuts a character in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… (${formatNumber(text.length - shown.length)} more characters)`;
}

const commandStart = /^([^\S\n]*):(?=:)/gm;

/**
 * Takes the power from lines that a CI log would obey: GitHub reads `::command::` at the start of a
 * line, blanks before it allowed, and `##[command]` anywhere. The first colon, or the second hash,
 * becomes an escape.
 */
export function disarmCommands(text: string): string {
  return text.replaceAll(commandStart, '$1\\x3a').replaceAll('##[', '#\\x23[');
}

/** The characters that XML 1.0 cannot hold, not even as references (section 2.2). */
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
 * Text as XML character data: forbidden characters dropped, the rest escaped, so that a parser
 * gives back what was put in. What a CI log would obey is written with references too.
 */
export function escapeXmlText(text: string): string {
  const escaped = text
    .replaceAll(outsideXml, '')
    .replaceAll(/[&<>"'\r]/g, (character) => xmlReferences[character] ?? '');
  return escaped.replaceAll(commandStart, '$1&#58;').replaceAll('##[', '#&#35;[');
}

/**
 * Text as an XML attribute value, without its quotes. Line feeds and tabs survive as references
 * (section 3.3.3).
 */
export function escapeXmlAttribute(text: string): string {
  return escapeXmlText(text).replaceAll(/[\t\n]/g, (character) => xmlBlanks[character] ?? '');
}

/** The message of a GitHub workflow command. Line breaks survive as `%0A`. */
export function escapeGitHubMessage(text: string): string {
  return disarmCommands(cleanText(text))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

/** A property of a GitHub workflow command, such as `file` or `title`. */
export function escapeGitHubProperty(text: string): string {
  return escapeGitHubMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Beyond what `JSON.stringify` escapes: what a terminal would obey or hide, and the mark of a CI
 * log's command.
 */
const hiddenInJson =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]|#(?=#\[)/gu;

/**
 * JSON that can be shown anywhere: a parser gives back the same value, a terminal and a CI log see
 * nothing to obey.
 */
export function writeJson(value: unknown, indent = 0): string {
  // Outside its strings JSON has none of these characters, so that an escape always stands inside
  // one.
  return JSON.stringify(value, null, indent).replaceAll(hiddenInJson, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
