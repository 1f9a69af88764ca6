/** A place in a text as editors count it: both 1-based, columns in UTF-16 code units. */
export interface TextPosition {
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
