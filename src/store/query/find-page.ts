import type { Query, QueryResult, StoredRecord } from '../store.ts';
import type { StoredEntry } from '../field-values.ts';
import type { OverlayView, OverlayViews } from './overlay-views.ts';
import { readSelection, selectionKey, type Selection } from './selection.ts';

/** The fixtures of a collection, as far as a query reads them. */
interface FixtureRecords {
  readonly records: readonly StoredEntry[];
  /** The entry at a position that exists. */
  entry(position: number): StoredEntry;
  /** The positions that a selection selects, in its order; undefined for all in their order. */
  select(selection: Selection): Uint32Array | undefined;
}

/** What a session sees of one collection. */
export interface Sight {
  readonly base: FixtureRecords;
  /** What the session changed; undefined where that is nothing. */
  readonly overlay: OverlayViews | undefined;
  /** The record of an identifier, as the session sees it. */
  readonly entry: (id: string) => StoredEntry | undefined;
}

/** Answers a query in the time that its page takes, as long as its selection is known. */
export function findPage({ base, overlay, entry }: Sight, query: Query): QueryResult | undefined {
  const selection = readSelection(query, selectionKey(query));
  const sequence = new Sequence(base, selection, overlay?.select(selection));
  const before = query.after === undefined ? 0 : sequence.placeBehind(entry(query.after));
  if (before === undefined) return undefined;
  const offset = before + Math.max(0, Math.trunc(query.offset) || 0);
  return { records: sequence.cut(offset, query.limit ?? Infinity), total: sequence.total, offset };
}

/** The selected records in order: visible fixtures merged with the session's own entries. */
class Sequence {
  readonly #base: FixtureRecords;
  readonly #selection: Selection;
  readonly #changed: OverlayView | undefined;
  readonly #positions: Uint32Array | undefined;
  /** How many fixtures are selected, hidden ones among them. */
  readonly #fixtures: number;

  constructor(base: FixtureRecords, selection: Selection, changed: OverlayView | undefined) {
    this.#base = base;
    this.#selection = selection;
    this.#positions = base.select(selection);
    this.#fixtures = this.#positions?.length ?? base.records.length;
    this.#changed =
      changed === undefined || changed.hidden.length + changed.own.length === 0
        ? undefined
        : changed;
  }

  get total(): number {
    return this.#fixtures - (this.#changed?.hidden.length ?? 0) + (this.#changed?.own.length ?? 0);
  }

  /** The number of selected records up to this one, inclusive; undefined if it is not selected. */
  placeBehind(entry: StoredEntry | undefined): number | undefined {
    if (entry === undefined || this.#selection.matches?.(entry.record) === false) return undefined;
    const fixtures =
      this.#lastFixture((fixture) => this.#selection.compare(fixture, entry) < 0) + 1;
    return (
      fixtures -
      (this.#changed?.hidden.rank(entry) ?? 0) +
      (this.#changed?.own.rank(entry) ?? 0) +
      1
    );
  }

  /** So many records from a place on. */
  cut(offset: number, limit: number): readonly StoredRecord[] {
    const length = Math.min(limit, this.total - offset);
    if (!(length > 0)) return [];
    if (this.#changed === undefined) return this.#cutFixtures(offset, length);
    return this.#merge(this.#changed, this.#startAt(this.#changed, offset), length);
  }

  #cutFixtures(offset: number, length: number): readonly StoredRecord[] {
    const { records } = this.#base;
    const page: StoredRecord[] = [];
    if (this.#positions === undefined) {
      // Slicing a frozen array takes several times as long.
      for (const end = offset + length; offset < end; offset += 1)
        page.push(records[offset] as StoredRecord);
      return page;
    }
    for (const position of this.#positions.subarray(offset, offset + length))
      page.push(this.#base.entry(position));
    return page;
  }

  #merge(
    { hidden, own }: OverlayView,
    { fixture, ownBefore }: Start,
    length: number,
  ): readonly StoredRecord[] {
    const page: StoredRecord[] = [];
    const { compare } = this.#selection;
    const first = this.#fixture(fixture);
    const added = own.from(ownBefore);
    const covered = hidden.from(first === undefined ? hidden.length : hidden.rank(first));
    let [mine, cover, index] = [added.next().value, covered.next().value, fixture];
    while (page.length < length) {
      const theirs = this.#fixture(index);
      if (theirs !== undefined && cover !== undefined && cover.place === theirs.place) {
        cover = covered.next().value;
        index += 1;
      } else if (mine !== undefined && (theirs === undefined || compare(mine, theirs) < 0)) {
        page.push(mine);
        mine = added.next().value;
      } else if (theirs === undefined) {
        return page;
      } else {
        page.push(theirs);
        index += 1;
      }
    }
    return page;
  }

  /** The position of the record with `offset` others before it. */
  #startAt({ hidden, own }: OverlayView, offset: number): Start {
    const before = (fixture: StoredEntry, index: number): number =>
      index - hidden.rank(fixture) + own.rank(fixture);
    const at = this.#lastFixture((fixture, index) => before(fixture, index) <= offset);
    const fixture = at === -1 ? undefined : this.#fixture(at);
    if (fixture === undefined) return { fixture: 0, ownBefore: offset };
    const missing = offset - before(fixture, at);
    if (missing === 0) return { fixture: at, ownBefore: own.rank(fixture) };
    // Only own entries are between this fixture and the next one; the fixture counts if it is
    // visible.
    return {
      fixture: at + 1,
      ownBefore: own.rank(fixture) + missing - (hidden.has(fixture) ? 0 : 1),
    };
  }

  /**
   * The index of the last fixture for which a monotonic condition is true; -1 if there is none.
   */
  #lastFixture(holds: (fixture: StoredEntry, index: number) => boolean): number {
    let [low, high] = [-1, this.#fixtures - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const fixture = this.#fixture(middle);
      if (fixture !== undefined && holds(fixture, middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #fixture(index: number): StoredEntry | undefined {
    if (index >= this.#fixtures) return undefined;
    return this.#base.entry(this.#positions === undefined ? index : (this.#positions[index] ?? 0));
  }
}

/** The start of a page: at a fixture, after a number of the session's own entries. */
interface Start {
  readonly fixture: number;
  readonly ownBefore: number;
}
