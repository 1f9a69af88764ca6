/**
 * Writes a line for each item, those of one turn of the event loop together: writing to a terminal
 * holds everything up, and under load there are many lines a turn. Lines are made when they are
 * written.
 */
export function batchLines<Item>(
  lineOf: (item: Item) => string,
  write: (text: string) => void,
): (item: Item) => void {
  let waiting: Item[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    write(items.map(lineOf).join(''));
  };
  return (item) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(item);
  };
}
