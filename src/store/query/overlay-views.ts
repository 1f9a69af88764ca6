import { RecentMap } from '../recent-map.ts';
import type { Condition } from '../store.ts';
import type { Entry } from './compare-json.ts';
import { OwnIndex } from './field-index.ts';
import { everything, type Selection } from './selection.ts';
import { SortedList } from './sorted-list.ts';

/**
 * What a session changes in one selection: fixtures that it hides, and entries of its own, both in
 * the selection's order.
 */
export interface OverlayView {
  readonly hidden: SortedList<Entry>;
  readonly own: SortedList<Entry>;
}

interface LiveView extends OverlayView {
  readonly selection: Selection;
}

const mostViews = 8;
/** Below this an index is not worth its making. */
const fewEntries = 2048;

/**
 * What a session changes, in each selection that it asked for of late; kept up to date with every
 * change.
 */
export class OverlayViews {
  readonly #all: LiveView = makeView(everything, [], []);
  readonly #whole: readonly LiveView[] = [this.#all];
  readonly #hiddenIds = new Set<string>();
  #views: RecentMap<string, LiveView> | undefined;
  #indexes: RecentMap<string, OwnIndex> | undefined;

  /** The fixtures that are hidden, in their order. */
  get hidden(): SortedList<Entry> {
    return this.#all.hidden;
  }

  /** The session's own entries, in the order of their adding. */
  get own(): SortedList<Entry> {
    return this.#all.own;
  }

  /** Whether the fixture of this identifier is hidden. */
  hides(id: string): boolean {
    return this.#hiddenIds.has(id);
  }

  /** Hides a fixture that is not hidden yet. */
  hide(entry: Entry): void {
    this.#hiddenIds.add(entry.id);
    for (const { hidden } of this.#viewsWith(entry)) hidden.add(entry);
  }

  /** Shows a fixture that is hidden. */
  reveal(entry: Entry): void {
    this.#hiddenIds.delete(entry.id);
    for (const { hidden } of this.#viewsWith(entry)) hidden.remove(entry);
  }

  add(entry: Entry): void {
    for (const { own } of this.#viewsWith(entry)) own.add(entry);
    for (const index of this.#indexes?.values() ?? []) index.add(entry);
  }

  /** Removes an entry that is there. */
  remove(entry: Entry): void {
    for (const { own } of this.#viewsWith(entry)) own.remove(entry);
    for (const index of this.#indexes?.values() ?? []) index.remove(entry);
  }

  /** What the session changes in a selection. */
  select(selection: Selection): OverlayView {
    if (selection.key === everything.key) return this.#all;
    this.#views ??= new RecentMap(mostViews);
    const known = this.#views.get(selection.key);
    if (known !== undefined) return known;
    const view = makeView(
      selection,
      this.hidden.from(0),
      this.#candidates(selection.where) ?? this.own.from(0),
    );
    this.#views.set(selection.key, view);
    return view;
  }

  #viewsWith(entry: Entry): readonly LiveView[] {
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
  #candidates(where: readonly Condition[]): Iterable<Entry> | undefined {
    if (this.own.length < fewEntries) return undefined;
    const sets = where.flatMap((condition) =>
      condition.op === 'in' ? [this.#index(condition.field).candidates(condition.values)] : [],
    );
    const [first, ...rest] = sets;
    return first === undefined
      ? undefined
      : rest.reduce((fewest, set) => (set.size < fewest.size ? set : fewest), first);
  }

  #index(field: string): OwnIndex {
    this.#indexes ??= new RecentMap(mostViews);
    const known = this.#indexes.get(field);
    if (known !== undefined) return known;
    const index = new OwnIndex(field, this.own.from(0));
    this.#indexes.set(field, index);
    return index;
  }
}

function makeView(selection: Selection, hidden: Iterable<Entry>, own: Iterable<Entry>): LiveView {
  return { selection, hidden: pick(selection, hidden), own: pick(selection, own) };
}

function pick({ matches, compare }: Selection, entries: Iterable<Entry>): SortedList<Entry> {
  const found: Entry[] = [];
  for (const entry of entries) if (matches?.(entry.record) !== false) found.push(entry);
  return new SortedList(compare, found.sort(compare));
}
