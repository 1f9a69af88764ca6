import type { JsonObject } from '../json/value.ts';
import { type FixtureCollection, greaterOf } from './fixture-collection.ts';
import { StoredEntry } from './field-values.ts';
import { findPage } from './query/find-page.ts';
import { OverlayViews } from './query/overlay-views.ts';
import type { Collection, Query, QueryResult, StoredRecord } from './store.ts';
import { bytesOf } from './store.ts';

/**
 * Entries by identifier. Most identifiers are consecutive integers, whose entries are in an array,
 * which needs a third of the memory of a hash table. Others are hashed.
 */
export class EntryMap {
  /** The integer of the first entry in the list; each one further on has the next integer. */
  #first = 0;
  readonly #counted: (StoredEntry | undefined)[] = [];
  readonly #others = new Map<string, StoredEntry>();
  #holes = 0;

  get size(): number {
    return this.#counted.length - this.#holes + this.#others.size;
  }

  get(id: string): StoredEntry | undefined {
    const at = this.#placeOf(id);
    return at === undefined ? this.#others.get(id) : this.#counted[at];
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  set(id: string, entry: StoredEntry): void {
    const integer = integerOf(id);
    if (integer === undefined) return void this.#others.set(id, entry);
    if (this.#counted.length === 0) this.#first = integer;
    const at = integer - this.#first;
    if (at < 0 || at > this.#counted.length) return void this.#others.set(id, entry);
    // One that is next in line now may have come before its turn.
    if (at === this.#counted.length) this.#others.delete(id);
    else if (this.#counted[at] === undefined) this.#holes -= 1;
    this.#counted[at] = entry;
  }

  delete(id: string): void {
    const at = this.#placeOf(id);
    if (at === undefined) return void this.#others.delete(id);
    if (this.#counted[at] !== undefined) this.#holes += 1;
    this.#counted[at] = undefined;
  }

  /** The index of an identifier in the array; undefined if it is hashed. */
  #placeOf(id: string): number | undefined {
    const integer = integerOf(id);
    if (integer === undefined) return undefined;
    const at = integer - this.#first;
    return at >= 0 && at < this.#counted.length ? at : undefined;
  }
}

const maxDigits = 15;
const [zero, nine] = [0x30, 0x39];

/**
 * The integer of an identifier in canonical decimal form; undefined for other texts, and for
 * integers beyond 2^53.
 */
function integerOf(id: string): number | undefined {
  if (id.length === 0 || id.length > maxDigits || (id.length > 1 && id.charCodeAt(0) === zero))
    return undefined;
  let integer = 0;
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code < zero || code > nine) return undefined;
    integer = integer * 10 + (code - zero);
  }
  return integer;
}

/**
 * How a session holds one record. A driver that keeps changes elsewhere can make the overlay from
 * them again.
 */
export interface Change {
  readonly id: string;
  /** Undefined if the record was deleted. */
  readonly record: JsonObject | undefined;
  /** How many were added before it; undefined for a record in the place of a fixture. */
  readonly turn: number | undefined;
  /** About what the record takes in memory, where that is known. */
  readonly bytes?: number;
}

/**
 * What one session changed in one collection, laid over the fixtures that it shares with all
 * others; it costs no more than that.
 */
export class SessionOverlay {
  readonly #base: FixtureCollection;
  readonly #own = new EntryMap();
  readonly #views = new OverlayViews();
  /** Deleted fixtures that these fixtures do not have; others may have them again. */
  readonly #gone = new Set<string>();
  #greatest: bigint;
  #nextTurn = 0;
  #added = 0;
  #bytes = 0;
  /** The integer that was given last, as an identifier: nothing has it, or ever had. */
  #given: string | undefined;

  constructor(base: FixtureCollection) {
    this.#base = base;
    this.#greatest = base.greatest;
  }

  /** Lays changes over fixtures; in the order of `changes()`. */
  static of(base: FixtureCollection, { changes, greatest }: CollectionChanges): SessionOverlay {
    const overlay = new SessionOverlay(base);
    for (const change of changes) overlay.lay(change);
    overlay.raise(greatest);
    return overlay;
  }

  /** The greatest integer that the collection has held or given. */
  get greatest(): bigint {
    return this.#greatest;
  }

  /** How many of its records no fixture stands behind. */
  get added(): number {
    return this.#added;
  }

  /** The approximate memory of added and changed records, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The approximate memory of one record; 0 for an unchanged fixture. */
  bytesAt(id: string): number {
    return this.#own.get(id)?.bytes ?? 0;
  }

  /**
   * How many entries the session keeps for itself: records that it added or replaced, and fixtures
   * that it hides.
   */
  get size(): number {
    return this.#own.size + this.#views.hidden.length + this.#gone.size;
  }

  list(): readonly StoredRecord[] {
    return this.query({ where: [], order: [], offset: 0 })?.records ?? [];
  }

  query(query: Query): QueryResult | undefined {
    return findPage(
      {
        base: this.#base,
        overlay: this.size === 0 ? undefined : this.#views,
        entry: (id) => this.#entry(id),
      },
      query,
    );
  }

  get(id: string): JsonObject | undefined {
    return this.#own.get(id)?.record ?? (this.#views.hides(id) ? undefined : this.#base.get(id));
  }

  /** Whether a record has this identifier; a new one from `nextInteger` needs no lookup. */
  holds(id: string): boolean {
    return id !== this.#given && this.get(id) !== undefined;
  }

  /** The change that adds a record; `apply` makes it. */
  planAdding({ id, record }: StoredRecord, bytes: number): Change {
    return { id, record, turn: this.#nextTurn, bytes };
  }

  /** The change that replaces a record that is there. */
  planReplacing({ id, record }: StoredRecord, bytes: number): Change {
    const held = this.#own.get(id);
    return { id, record, turn: held && this.#turn(held), bytes };
  }

  /** Applies a change without a check. The record must be frozen. */
  apply(change: Change): void {
    this.#drop(change.id);
    this.add(change);
  }

  /** Adds a record after `get` found none; a second lookup would double the cost. */
  add({ id, record, turn, bytes: known }: Change): void {
    const position = this.#base.position(id);
    if (position !== undefined && !this.#views.hides(id))
      this.#views.hide(this.#base.entry(position));
    if (record === undefined) return;
    if (this.#gone.size > 0) this.#gone.delete(id);
    const bytes = known ?? bytesOf(record);
    const entry = new StoredEntry({ id, record }, this.#place(position, turn), bytes);
    this.#bytes += bytes;
    if (turn !== undefined) {
      this.#nextTurn = Math.max(this.#nextTurn, turn + 1);
      this.#added += 1;
    }
    this.#own.set(id, entry);
    this.#views.add(entry);
    if (id === this.#given) this.#given = undefined;
    else this.#greatest = greaterOf(this.#greatest, id);
  }

  /**
   * Restores a logged change, possibly over other fixtures: deletions of missing fixtures are kept.
   */
  lay(change: Change): void {
    this.apply(change);
    if (change.record === undefined && !this.isFixture(change.id)) this.#gone.add(change.id);
  }

  /** Leaves a record to the fixtures, as if the session had never touched it. */
  forget(id: string): void {
    this.#drop(id);
    this.#gone.delete(id);
    const position = this.#base.position(id);
    if (position !== undefined && this.#views.hides(id))
      this.#views.reveal(this.#base.entry(position));
  }

  nextInteger(): bigint {
    this.#greatest += 1n;
    this.#given = decimalOf(this.#greatest);
    return this.#greatest;
  }

  /** Makes `nextInteger` return only greater integers. */
  raise(greatest: bigint): void {
    if (greatest > this.#greatest) this.#greatest = greatest;
  }

  /** Whether a fixture has this identifier, hidden or not. */
  isFixture(id: string): boolean {
    return this.#base.position(id) !== undefined;
  }

  /**
   * Every change, so that they can be laid over other fixtures: those in the place of fixtures
   * first, then by turn.
   */
  changes(): Change[] {
    const gone = [...this.#views.hidden.from(0)]
      .map(({ id }) => id)
      .filter((id) => !this.#own.has(id));
    const own = [...this.#views.own.from(0)].map((entry) => ({
      id: entry.id,
      record: entry.record,
      turn: this.#turn(entry),
      bytes: entry.bytes,
    }));
    return [
      ...[...this.#gone, ...gone].map((id) => ({ id, record: undefined, turn: undefined })),
      ...own,
    ];
  }

  #entry(id: string): StoredEntry | undefined {
    const own = this.#own.get(id);
    const position = this.#base.position(id);
    return (
      own ??
      (position === undefined || this.#views.hides(id) ? undefined : this.#base.entry(position))
    );
  }

  #drop(id: string): void {
    const held = this.#own.get(id);
    if (held === undefined) return;
    this.#own.delete(id);
    this.#bytes -= held.bytes;
    this.#views.remove(held);
    if (this.#turn(held) !== undefined) this.#added -= 1;
  }

  #turn({ place }: StoredEntry): number | undefined {
    return place < this.#base.records.length ? undefined : place - this.#base.records.length;
  }

  /**
   * A record in the place of a fixture that is there no more stands behind the fixtures and before
   * what was added.
   */
  #place(position: number | undefined, turn: number | undefined): number {
    const { length } = this.#base.records;
    return turn === undefined ? (position ?? length - 0.5) : length + turn;
  }
}

/** The decimal form of an integer, which V8 caches for small numbers. */
function decimalOf(integer: bigint): string {
  const number = Number(integer);
  return String(Number.isSafeInteger(number) ? number : integer);
}

/**
 * What a session changed in one collection, and the greatest integer that it held or gave there.
 */
export interface CollectionChanges {
  readonly changes: readonly Change[];
  readonly greatest: bigint;
}

export type SessionChanges = ReadonlyMap<string, CollectionChanges>;

export interface ChangeFacts {
  /** Whether a fixture has this identifier. */
  readonly isFixture: boolean;
  /**
   * The greatest integer that the collection held or assigned, if it is not logged yet; always set
   * for the first change.
   */
  readonly greatest: bigint | undefined;
}

/**
 * A write-ahead log of the changes of sessions. Each method is atomic: it succeeds, or throws a
 * VouchError ('store-unavailable') without an effect.
 */
export interface ChangeLog {
  /** The logged changes of a session; undefined if there are none. */
  read(session: string): SessionChanges | undefined;
  /**
   * Writes one change. A deleted record that is no fixture can be removed from the log.
   */
  write(collection: Collection, change: Change, facts: ChangeFacts): void;
  /** Writes the greatest integer that a collection held or gave. */
  count(collection: Collection, greatest: bigint): void;
  /** Writes a session anew. */
  rewrite(session: string, changes: SessionChanges): void;
  /** Forgets one session, or all. */
  forget(session?: string): void;
  /** How many records were added, in all sessions. */
  added(): number;
  sessions(): readonly string[];
  close(): void;
}
