import { remember } from '../../remember.ts';
import type { Comparator, StoredEntry } from '../field-values.ts';
import { RecentMap } from '../recent-map.ts';
import type { Condition } from '../store.ts';
import { OwnIndex } from './field-index.ts';
import { everything, type Selection } from './selection.ts';

/**
 * The changes of a session in one selection: hidden fixtures and own entries, both in the order of
 * the selection.
 */
export interface OverlayView {
  readonly hidden: SortedList<StoredEntry>;
  readonly own: SortedList<StoredEntry>;
}

interface LiveView extends OverlayView {
  readonly selection: Selection;
}

const maxViews = 8;

/** Below this an index is not worth its making. */
const fewEntries = 2048;

/** The changes of a session in each recently used selection, updated with every change. */
export class OverlayViews {
  readonly #all: LiveView = makeView(everything, [], []);
  readonly #whole: readonly LiveView[] = [this.#all];
  readonly #hiddenIds = new Set<string>();
  #views: RecentMap<string, LiveView> | undefined;
  #indexes: RecentMap<string, OwnIndex> | undefined;

  /** The fixtures that are hidden, in their order. */
  get hidden(): SortedList<StoredEntry> {
    return this.#all.hidden;
  }

  /** The session's own entries in insertion order. */
  get own(): SortedList<StoredEntry> {
    return this.#all.own;
  }

  /** Whether the fixture of this identifier is hidden. */
  hides(id: string): boolean {
    return this.#hiddenIds.has(id);
  }

  /** Hides a fixture that is not hidden yet. */
  hide(entry: StoredEntry): void {
    this.#hiddenIds.add(entry.id);
    for (const { hidden } of this.#viewsWith(entry)) hidden.add(entry);
  }

  /** Shows a fixture that is hidden. */
  reveal(entry: StoredEntry): void {
    this.#hiddenIds.delete(entry.id);
    for (const { hidden } of this.#viewsWith(entry)) hidden.remove(entry);
  }

  add(entry: StoredEntry): void {
    for (const { own } of this.#viewsWith(entry)) own.add(entry);
    for (const index of this.#indexes?.values() ?? []) index.add(entry);
  }

  /** Removes an entry that is there. */
  remove(entry: StoredEntry): void {
    for (const { own } of this.#viewsWith(entry)) own.remove(entry);
    for (const index of this.#indexes?.values() ?? []) index.remove(entry);
  }

  /** What the session changes in a selection. */
  select(selection: Selection): OverlayView {
    if (selection.key === everything.key) return this.#all;
    this.#views ??= new RecentMap(maxViews);
    return remember(this.#views, selection.key, () =>
      makeView(
        selection,
        this.hidden.from(0),
        this.#candidates(selection.where) ?? this.own.from(0),
      ),
    );
  }

  #viewsWith(entry: StoredEntry): readonly LiveView[] {
    return this.#views === undefined
      ? this.#whole
      : [
          this.#all,
          ...[...this.#views.values()].filter(
            ({ selection }) => selection.matches?.(entry.record) !== false,
          ),
        ];
  }

  /**
   * The entries among which all matches are: those of the condition that leaves the fewest;
   * undefined where that may be all.
   */
  #candidates(where: readonly Condition[]): Iterable<StoredEntry> | undefined {
    if (this.own.length < fewEntries) return undefined;
    const sets = where.flatMap((condition) =>
      condition.op === 'in' && condition.by === undefined
        ? [this.#index(condition.field).candidates(condition.values)]
        : [],
    );
    const [first, ...rest] = sets;
    return first && rest.reduce((fewest, set) => (set.size < fewest.size ? set : fewest), first);
  }

  #index(field: string): OwnIndex {
    this.#indexes ??= new RecentMap(maxViews);
    return remember(this.#indexes, field, () => new OwnIndex(field, this.own.from(0)));
  }
}

function makeView(
  selection: Selection,
  hidden: Iterable<StoredEntry>,
  own: Iterable<StoredEntry>,
): LiveView {
  return { selection, hidden: pick(selection, hidden), own: pick(selection, own) };
}

function pick(
  { matches, compare }: Selection,
  entries: Iterable<StoredEntry>,
): SortedList<StoredEntry> {
  const found: StoredEntry[] = [];
  for (const entry of entries) if (matches?.(entry.record) !== false) found.push(entry);
  return new SortedList(compare, found.sort(compare));
}

const chunkLength = 1024;

/**
 * A sorted list for millions of items: adding, removing and counting preceding items take
 * logarithmic time plus the shift of one chunk. No two items may compare as equal.
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

  /** Removes the equal item; returns false if there is none. */
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

  /** Splits the last chunk at its end, so that appending leaves full chunks; others in half. */
  #split(at: number, chunk: Item[]): void {
    const keep = at === this.#chunks.length - 1 ? chunkLength : chunkLength / 2;
    this.#chunks.splice(at + 1, 0, chunk.splice(keep));
  }

  /** The first chunk whose last item is not before the given one; otherwise the last chunk. */
  #chunkOf(item: Item): number {
    const at = lowerBound(
      this.#chunks,
      item,
      (chunk) => -Number(isBehind(chunk, item, this.#compare)),
    );
    return Math.max(0, Math.min(at, this.#chunks.length - 1));
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

/** Whether an item is after all of these; the list is not empty. */
function isBehind<Item>(
  items: readonly Item[] | undefined,
  item: Item,
  compare: Comparator<Item>,
): boolean {
  const last = items?.at(-1);
  return last !== undefined && compare(last, item) < 0;
}

/** The index of the first item that does not come before this one. */
function lowerBound<Held, Item>(
  items: readonly Held[],
  item: Item,
  compare: (held: Held, item: Item) => number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const held = items[middle];
    if (held !== undefined && compare(held, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
