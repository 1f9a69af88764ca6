/** Negative where the left one comes first, 0 where both have the same place. */
export type Comparator<Item> = (left: Item, right: Item) => number;

const chunkLength = 1024;

/**
 * A list that stays sorted while items come and go, for millions of them: adding, removing and
 * counting what comes before an item take logarithmic time and the shifting of one chunk. No two
 * items may have the same place.
 */
export class SortedList<Item> {
  readonly #compare: Comparator<Item>;
  readonly #chunks: Item[][] = [];
  /** How many items come before each chunk, as long as that is known. */
  #starts: number[] | undefined;
  #length = 0;

  /** `sorted` must be in the order of `compare`. */
  constructor(compare: Comparator<Item>, sorted: readonly Item[] = []) {
    this.#compare = compare;
    for (let begin = 0; begin < sorted.length; begin += chunkLength)
      this.#chunks.push(sorted.slice(begin, begin + chunkLength));
    this.#length = sorted.length;
  }

  get length(): number {
    return this.#length;
  }

  add(item: Item): void {
    const end = this.#chunks.length - 1;
    // Most items are new ones, which come behind all others.
    const at = isBehind(this.#chunks[end], item, this.#compare) ? end : this.#chunkOf(item);
    const chunk = this.#chunks[at] ?? this.#grow();
    if (isBehind(chunk, item, this.#compare)) chunk.push(item);
    else chunk.splice(lowerBound(chunk, item, this.#compare), 0, item);
    if (chunk.length > chunkLength) this.#split(at, chunk);
    this.#length += 1;
    this.#starts = undefined;
  }

  /** Removes the item of this place; false where there is none. */
  remove(item: Item): boolean {
    const at = this.#chunkOf(item);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const index = lowerBound(chunk, item, this.#compare);
    const found = chunk[index];
    if (found === undefined || this.#compare(found, item) !== 0) return false;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    this.#length -= 1;
    this.#starts = undefined;
    return true;
  }

  /** Whether there is an item of this place. */
  has(item: Item): boolean {
    const chunk = this.#chunks[this.#chunkOf(item)] ?? [];
    const found = chunk[lowerBound(chunk, item, this.#compare)];
    return found !== undefined && this.#compare(found, item) === 0;
  }

  /** How many items come before this one, which need not be in the list. */
  rank(item: Item): number {
    if (this.#length === 0) return 0;
    const at = this.#chunkOf(item);
    const chunk = this.#chunks[at];
    return (
      (this.#begins()[at] ?? 0) + (chunk === undefined ? 0 : lowerBound(chunk, item, this.#compare))
    );
  }

  /** The items from an index on. */
  *from(index: number): Generator<Item, undefined> {
    if (index >= this.#length) return;
    const starts = this.#begins();
    let at = lowerBound(starts, index + 1, (left, right) => left - right) - 1;
    let within = index - (starts[at] ?? 0);
    for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[at]) {
      for (; within < chunk.length; within += 1) {
        const item = chunk[within];
        if (item !== undefined) yield item;
      }
      within = 0;
      at += 1;
    }
  }

  #grow(): Item[] {
    const chunk: Item[] = [];
    this.#chunks.push(chunk);
    return chunk;
  }

  /** What is added at the end leaves full chunks behind; elsewhere a chunk is halved. */
  #split(at: number, chunk: Item[]): void {
    const keep = at === this.#chunks.length - 1 ? chunkLength : chunkLength / 2;
    this.#chunks.splice(at + 1, 0, chunk.splice(keep));
  }

  /**
   * The first chunk that ends at the item or behind it; the last one where the item comes behind
   * all.
   */
  #chunkOf(item: Item): number {
    let [low, high] = [0, Math.max(0, this.#chunks.length - 1)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last !== undefined && this.#compare(last, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #begins(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts: number[] = [];
    let total = 0;
    for (const chunk of this.#chunks) {
      starts.push(total);
      total += chunk.length;
    }
    this.#starts = starts;
    return starts;
  }
}

/** Whether an item comes behind every one of these, of which there is one at least. */
function isBehind<Item>(
  items: readonly Item[] | undefined,
  item: Item,
  compare: Comparator<Item>,
): boolean {
  const last = items?.at(-1);
  return last !== undefined && compare(last, item) < 0;
}

/** The index of the first item that does not come before this one. */
function lowerBound<Item>(items: readonly Item[], item: Item, compare: Comparator<Item>): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const held = items[middle];
    if (held !== undefined && compare(held, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
