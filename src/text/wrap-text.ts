import { stripVTControlCharacters } from 'node:util';

const combining = /\p{M}|\u200d/u;
/** East Asian wide and full-width forms, and emoji: two columns each (Unicode Annex 11). */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** How many columns of a terminal a text takes; its colours take none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (combining.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** The text with blanks behind it, up to a number of columns. */
export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * The beginning of a line that takes at most so many columns, with `…` where something is left out.
 * For plain text: colours would be cut.
 */
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

/** The same words with blanks at which `wrapText` does not break: for a number and its noun. */
export function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/**
 * Breaks prose at its blanks into lines of at most `width` columns. A longer word keeps a line of
 * its own, unbroken.
 */
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
 * A prefix and prose behind it; further lines of the prose stand under its first one, or two
 * columns in where there is no room.
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

/**
 * The bar before each line of a body, and what stands before the rest of a line that was broken.
 */
const bar = '| ';
const rest = '|   ';

/**
 * A line of a body behind its bar, on lines of at most `width` columns: broken behind a comma or a
 * blank where there is one, as people set JSON.
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
 * Behind the last comma or blank of the line's second half that there is room for; else where the
 * room ends.
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
  // Between records is better than within one.
  const record = line.lastIndexOf('},', room - 2) + 2;
  const part = Math.max(line.lastIndexOf(',', room - 1), line.lastIndexOf(' ', room - 1)) + 1;
  return [record, part].find((at) => at > least && at <= room) ?? Math.max(room, bar.length + 1);
}

/** A shell's word with the blanks before it: quoted parts belong together. */
const shellWords = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g;
const indent = '  ';

/**
 * A command on lines of at most `width` columns, broken between its words with the backslash that a
 * POSIX shell goes on after, so that it can still be pasted whole. A flag of one letter, or an
 * option, keeps its value. A longer word keeps a line of its own.
 */
export function breakCommand(command: string, width: number): string[] {
  if (columnsOf(command) <= width) return [command];
  const lines: string[] = [];
  for (const part of joinFlags(command.match(shellWords) ?? [command])) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(part);
    // The blank and the backslash behind it take two columns.
    else if (columnsOf(last) + 1 + columnsOf(part) + 2 <= width)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(indent + part);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/** `-H` and what follows it are one. */
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

/** Those of curl's flags that vouch writes and that take a value. */
const takesValue = /^(?:-[HXdub]|--(?:data-raw|data-binary|data|cacert|form|request|url))$/;
