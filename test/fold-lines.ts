import type { SnapshotSerializer } from 'vitest';

/** Characters of a line in a snapshot; its indentation in the test file comes on top. */
const width = 84;
const mark = '\n  ↳';

/**
 * Prints strings with long lines in snapshots, folded so that a test file keeps to 100 columns.
 * A folded line goes on after `↳`; nothing is left out, and spaces are kept.
 */
const serializer: SnapshotSerializer = {
  test: (value) => typeof value === 'string' && value !== foldLines(value),
  serialize: (value: string, _config, indentation) => {
    const room = indentation === '' ? width : width - indentation.length - 16;
    return `"${foldLines(value, room)}"`;
  },
};
export default serializer;

/** Breaks the lines of a text that are longer than `room`, best after a comma or before a space. */
export function foldLines(text: string, room: number = width): string {
  return text
    .split('\n')
    .map((line) => foldLine(line, room))
    .join('\n');
}

function foldLine(line: string, room: number): string {
  const pieces: string[] = [];
  let rest = line;
  while (lengthInSource(rest) > room) {
    const end = breakOf(rest, room);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest].join(mark);
}

/** Where a line is broken: at the last good place of its second half, or where the room ends. */
function breakOf(line: string, room: number): number {
  let end = room;
  while (lengthInSource(line.slice(0, end)) > room) end -= 1;
  for (let index = end; index > room / 2; index -= 1) {
    if (line[index] === ' ' || line[index - 1] === ',') return index;
  }
  return end;
}

/** Characters of a text inside a template literal, where some need a backslash. */
function lengthInSource(text: string): number {
  return text.length + (text.match(/[`\\]|\$\{/g)?.length ?? 0);
}
