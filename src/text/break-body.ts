import { columnsOf } from './wrap-text.ts';

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
