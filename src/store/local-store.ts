import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { emptyShelf, FixtureShelf, greaterOf } from './fixture-shelf.ts';
import { freezeRecord } from './field-values.ts';
import { type Change, type ChangeLog, Overlay, type SessionChanges } from './overlay.ts';
import { RecentMap } from './recent-map.ts';
import { dumpShelf, planRestoring, refuseLongChanges } from './session-dump.ts';
import { bytesOf, outOfBytes, refuseLong, type StoreLimits, usualLimits } from './store-limits.ts';
import type {
  CollectionDump,
  Fixtures,
  Insertion,
  Query,
  QueryResult,
  SessionDump,
  Shelf,
  Store,
  StoredRecord,
} from './store.ts';

type SessionShelves = Map<string, Overlay>;

/**
 * A store that one process has to itself. Sessions share the fixtures and keep only what they
 * changed. What goes in is copied, what comes out is frozen. Each method takes effect in one step,
 * so that calls at the same time never see half of another. With a log every change is written
 * there first, and read back from there.
 */
export class LocalStore implements Store {
  readonly kind: string;
  readonly #limits: Required<StoreLimits>;
  readonly #log: ChangeLog | undefined;
  readonly #sessions: RecentMap<string, SessionShelves>;
  /** The greatest integer of each overlay, as the log has it. */
  readonly #counted = new WeakMap<Overlay, bigint>();
  #fixtures: ReadonlyMap<string, FixtureShelf> = new Map();
  #added: number;
  /** What the changes of sessions take in memory. Those that only a log holds do not count. */
  #bytes = 0;

  constructor(kind: string, limits: StoreLimits, log?: ChangeLog) {
    this.kind = kind;
    this.#limits = { ...usualLimits, ...limits };
    this.#log = log;
    this.#sessions = new RecentMap(this.#limits.sessions);
    this.#added = log?.added() ?? 0;
  }

  get recordLimit(): number {
    return this.#limits.record;
  }

  async seed(fixtures: Fixtures): Promise<void> {
    this.#fixtures = new Map(
      [...fixtures].map(([collection, records]) => [
        collection,
        new FixtureShelf(collection, records),
      ]),
    );
    const held = this.#sessions.keys().map((session) => [session, this.#changes(session)] as const);
    this.#sessions.clear();
    this.#bytes = 0;
    for (const [session, changes] of held) this.#keep(session, this.#lay(changes));
  }

  list(shelf: Shelf): readonly StoredRecord[] {
    return this.#overlay(shelf)?.list() ?? this.#base(shelf.collection).records;
  }

  query(shelf: Shelf, query: Query): QueryResult | undefined {
    return (this.#overlay(shelf) ?? this.#base(shelf.collection)).query(query);
  }

  get(shelf: Shelf, id: string): JsonObject | undefined {
    return this.#find(shelf, id);
  }

  insert(shelf: Shelf, { id, record }: StoredRecord): Insertion {
    const known = this.#overlay(shelf);
    if (known === undefined ? this.#base(shelf.collection).get(id) !== undefined : known.holds(id))
      return 'taken';
    if (this.#added >= this.#limits.records) return 'full';
    refuseLong({ id, record }, this.#limits.record);
    const bytes = bytesOf(record);
    this.#refuseMore(bytes);
    const overlay = known ?? this.#ownOverlay(shelf);
    const change = overlay.planAdding({ id, record: freezeRecord(record) }, bytes);
    this.#write(shelf, overlay, change);
    overlay.add(change);
    this.#added += 1;
    this.#bytes += bytes;
    return 'inserted';
  }

  replace(shelf: Shelf, { id, record }: StoredRecord): boolean {
    if (this.#find(shelf, id) === undefined) return false;
    refuseLong({ id, record }, this.#limits.record);
    const bytes = bytesOf(record);
    this.#refuseMore(bytes - (this.#overlay(shelf)?.bytesAt(id) ?? 0));
    const overlay = this.#ownOverlay(shelf);
    this.#make(shelf, overlay, overlay.planReplacing({ id, record: freezeRecord(record) }, bytes));
    return true;
  }

  delete(shelf: Shelf, id: string): boolean {
    if (this.#find(shelf, id) === undefined) return false;
    this.#make(shelf, this.#ownOverlay(shelf), { id, record: undefined, turn: undefined });
    return true;
  }

  nextInteger(shelf: Shelf): bigint {
    const overlay = this.#ownOverlay(shelf);
    if (this.#log !== undefined) {
      const next = overlay.greatest + 1n;
      this.#log.count(shelf, next);
      this.#counted.set(overlay, next);
    }
    return overlay.nextInteger();
  }

  async reset(session?: string): Promise<void> {
    const shelves = session === undefined ? undefined : this.#shelves(session);
    const added = session === undefined ? this.#added : addedIn(shelves);
    const bytes = session === undefined ? this.#bytes : bytesIn(shelves);
    this.#log?.forget(session);
    if (session === undefined) this.#sessions.clear();
    else this.#sessions.delete(session);
    this.#added -= added;
    this.#bytes -= bytes;
  }

  async dump(session: string): Promise<SessionDump> {
    const shelves = this.#shelves(session);
    const names = [...new Set([...this.#fixtures.keys(), ...(shelves?.keys() ?? [])])];
    const dumps = names.map((name): [string, CollectionDump] => [
      name,
      dumpShelf(shelves?.get(name) ?? new Overlay(this.#base(name))),
    ]);
    return { collections: Object.fromEntries(dumps) };
  }

  async restore(session: string, { collections }: SessionDump): Promise<void> {
    const changes: SessionChanges = new Map(
      Object.entries(collections).map(([name, dump]) => [
        name,
        planRestoring(this.#base(name), dump),
      ]),
    );
    refuseLongChanges(changes, this.#limits.record);
    const shelves = this.#lay(changes);
    const before = bytesIn(this.#shelves(session));
    const added = this.#added - addedIn(this.#shelves(session)) + addedIn(shelves);
    if (added > this.#limits.records) throw tooMany(addedIn(shelves), this.#limits.records);
    this.#refuseMore(bytesIn(shelves) - before);
    this.#log?.rewrite(session, changes);
    this.#sessions.delete(session);
    this.#added = added;
    this.#bytes -= before;
    if (shelves.size > 0) this.#keep(session, shelves);
  }

  async sessions(): Promise<readonly string[]> {
    return this.#log?.sessions() ?? this.#sessions.keys();
  }

  async close(): Promise<void> {
    this.#log?.close();
    this.#sessions.clear();
    this.#fixtures = new Map();
  }

  /** What takes no more than before is never refused. */
  #refuseMore(bytes: number): void {
    if (bytes > 0 && this.#bytes + bytes > this.#limits.bytes) throw outOfBytes(this.#limits.bytes);
  }

  /** Writes a change down and lets it take effect. */
  #make(shelf: Shelf, overlay: Overlay, change: Change): void {
    this.#write(shelf, overlay, change);
    const { added, bytes } = overlay;
    overlay.apply(change);
    this.#added += overlay.added - added;
    this.#bytes += overlay.bytes - bytes;
  }

  #write(shelf: Shelf, overlay: Overlay, change: Change): void {
    if (this.#log === undefined) return;
    const greatest = greaterOf(overlay.greatest, change.id);
    const isNews = this.#counted.get(overlay) !== greatest;
    this.#log.write(shelf, change, {
      isFixture: overlay.isFixture(change.id),
      greatest: isNews ? greatest : undefined,
    });
    this.#counted.set(overlay, greatest);
  }

  #find(shelf: Shelf, id: string): JsonObject | undefined {
    const overlay = this.#overlay(shelf);
    return overlay === undefined ? this.#base(shelf.collection).get(id) : overlay.get(id);
  }

  #base(collection: string): FixtureShelf {
    return this.#fixtures.get(collection) ?? emptyShelf;
  }

  #overlay({ session, collection }: Shelf): Overlay | undefined {
    return this.#shelves(session)?.get(collection);
  }

  #shelves(session: string): SessionShelves | undefined {
    const held = this.#sessions.get(session);
    if (held !== undefined || this.#log === undefined) return held;
    const written = this.#log.read(session);
    return written === undefined ? undefined : this.#keep(session, this.#lay(written));
  }

  /** The session's overlay, made when it first changes something. */
  #ownOverlay({ session, collection }: Shelf): Overlay {
    const shelves = this.#shelves(session) ?? this.#keep(session, new Map());
    const known = shelves.get(collection);
    if (known !== undefined) return known;
    const overlay = new Overlay(this.#base(collection));
    shelves.set(collection, overlay);
    return overlay;
  }

  #keep(session: string, shelves: SessionShelves): SessionShelves {
    const forgotten = this.#sessions.set(session, shelves);
    this.#bytes += bytesIn(shelves);
    for (const gone of forgotten) this.#bytes -= bytesIn(gone);
    // What a log holds is not lost, only out of sight.
    if (this.#log === undefined) for (const gone of forgotten) this.#added -= addedIn(gone);
    return shelves;
  }

  #changes(session: string): SessionChanges {
    const shelves = this.#sessions.get(session) ?? new Map<string, Overlay>();
    return new Map(
      [...shelves].map(([name, overlay]) => [
        name,
        { changes: overlay.changes(), greatest: overlay.greatest },
      ]),
    );
  }

  #lay(changes: SessionChanges): SessionShelves {
    return new Map(
      [...changes].map(([name, shelf]) => [name, Overlay.of(this.#base(name), shelf)]),
    );
  }
}

function addedIn(shelves: SessionShelves | undefined): number {
  return [...(shelves?.values() ?? [])].reduce((total, overlay) => total + overlay.added, 0);
}

function bytesIn(shelves: SessionShelves | undefined): number {
  return [...(shelves?.values() ?? [])].reduce((total, overlay) => total + overlay.bytes, 0);
}

function tooMany(added: number, most: number): VouchError {
  return new VouchError(
    'store-full',
    `The snapshot adds ${String(added)} records, and the mock may hold no ` +
      `more than ${String(most)} in all sessions.`,
    { hint: 'Reset sessions that are done, or start the mock with a greater --max-records.' },
  );
}
