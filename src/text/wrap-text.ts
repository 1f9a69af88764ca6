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
