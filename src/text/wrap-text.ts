import { stripVTControlCharacters } from 'node:util';

const combining = /\p{M}|\u200d/u;
/** East Asian wide and full-width forms, and emoji: two columns each (Unicode Annex 11). */
const wide = new RegExp(
  [
    '\\p{Emoji_Presentation}',
    '[\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f]',
    '[\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}]',
  ].join('|'),
  'u',
);

/** The number of terminal columns of a text, without its color codes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (combining.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** Pads a text with blanks to a number of columns. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** The start of a line, cut to a number of columns with `…`. For text without color codes. */
export function fitText(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let fitting = '';
  let taken = 1;
  for (const character of text) {
    taken += columnsOf(character);
    if (taken > columns) break;
    fitting += character;
  }
  return `${fitting.trimEnd()}…`;
}

/**
 * Replaces blanks by ones at which `wrapText` does not break, such as between a number and its
 * noun.
 */
export function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Wraps prose at blanks to lines of at most `width` columns. A longer word gets its own line. */
export function wrapText(prose: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of prose.split(/[ \n]+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((text) => text.replaceAll('\u00a0', ' '));
}

const narrowest = 24;

/**
 * Formats a prefix and wrapped prose. Continuation lines align with the first one, or have an
 * indent of two columns if the terminal is too narrow.
 */
export function hangText(prefix: string, text: string, width: number): string[] {
  const indent = columnsOf(prefix);
  if (width - indent < narrowest && columnsOf(text) > width - indent) {
    const own = columnsOf(prefix) - columnsOf(prefix.trimStart()) + 4;
    return [
      prefix.trimEnd(),
      ...wrapText(text, Math.max(width - own, narrowest)).map((line) => ' '.repeat(own) + line),
    ];
  }
  return wrapText(text, width - indent).map(
    (line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line,
  );
}

/** The bar before each line of a body, and the indent of its continuation lines. */
const bar = '| ';
const rest = '|   ';

/**
 * Wraps a line of a body after its bar to at most `width` columns: after a comma or blank if
 * possible, as in formatted JSON.
 */
export function breakBody(line: string, width: number): string[] {
  const lines: string[] = [];
  let left = line;
  for (;;) {
    const end = columnsOf(left) <= width ? left.length : breakAt(left, width);
    lines.push(left.slice(0, end));
    if (end >= left.length) return lines;
    left = rest + left.slice(end);
  }
}

/**
 * The position after the last comma or blank in the second half of the line; otherwise the end of
 * the line.
 */
function breakAt(line: string, width: number): number {
  let columns = 0;
  let room = 0;
  for (const character of line) {
    columns += columnsOf(character);
    if (columns > width) break;
    room += character.length;
  }
  const least = Math.max(Math.floor(room / 2), rest.length + 1);
  // Prefers a break between records.
  const record = line.lastIndexOf('},', room - 2) + 2;
  const part = Math.max(line.lastIndexOf(',', room - 1), line.lastIndexOf(' ', room - 1)) + 1;
  return [record, part].find((at) => at > least && at <= room) ?? Math.max(room, bar.length + 1);
}

/** A word of a shell with the blanks before it; quoted parts stay together. */
const shellWords = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g;
const indent = '  ';

/**
 * Wraps a command to at most `width` columns with the line continuation of a POSIX shell, so that
 * it can be pasted. A flag stays with its value. A longer word gets its own line.
 */
export function breakCommand(command: string, width: number): string[] {
  if (columnsOf(command) <= width) return [command];
  const lines: string[] = [];
  for (const part of joinFlags(command.match(shellWords) ?? [command])) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(part);
    // The blank and the backslash take two columns.
    else if (columnsOf(last) + 1 + columnsOf(part) + 2 <= width)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(indent + part);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/** Joins `-H` and its value. */
function joinFlags(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last !== undefined && takesValue.test(last) && !word.startsWith('-'))
      parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** The curl flags that vouch writes and that take a value. */
const takesValue = /^(?:-[HXdub]|--(?:data-raw|data-binary|data|cacert|form|request|url))$/;
