import { VouchError } from '../errors.ts';
import { equalJson } from '../json/equal-json.ts';
import type { JsonObject } from '../json/value.ts';
import { remember } from '../remember.ts';
import { freezeRecord } from './field-values.ts';
import { FixtureCollections, greaterOf } from './fixture-collection.ts';
import { type Change, type ChangeLog, SessionOverlay, type SessionChanges } from './overlay.ts';
import { RecentMap } from './recent-map.ts';
import { dumpCollection, planRestore, refuseLongChanges } from './session-dump.ts';
import {
  bytesOf,
  type Collection,
  type CollectionDump,
  type Fixtures,
  type Insertion,
  outOfBytes,
  RecordChanged,
  type Query,
  type QueryResult,
  refuseLong,
  type SessionDump,
  type Store,
  type StoredRecord,
  type StoreLimits,
  usualLimits,
} from './store.ts';

/** A store in this process's memory, which ends with it. */
export function makeMemoryStore(limits: StoreLimits = {}): Store {
  return new LocalStore('memory', limits);
}

type SessionOverlays = Map<string, SessionOverlay>;

/**
 * A store of a single process. Sessions share the fixtures and store only their changes. Input is
 * copied, and output is frozen. Each method is atomic, so that concurrent calls never see a partial
 * change. With a log, every change is first written there, and restored from there.
 */
export class LocalStore implements Store {
  readonly kind: string;
  readonly #limits: Required<StoreLimits>;
  readonly #log: ChangeLog | undefined;
  readonly #sessions: RecentMap<string, SessionOverlays>;
  /** The greatest integer of each overlay, as the log has it. */
  readonly #counted = new WeakMap<SessionOverlay, bigint>();
  #fixtures = new FixtureCollections();
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
    this.#fixtures = new FixtureCollections(fixtures);
    const held = this.#sessions.keys().map((session) => [session, this.#changes(session)] as const);
    this.#sessions.clear();
    this.#bytes = 0;
    for (const [session, changes] of held) this.#keep(session, this.#lay(changes));
  }

  list(collection: Collection): readonly StoredRecord[] {
    return this.#overlay(collection)?.list() ?? this.#fixtures.of(collection.name).records;
  }

  query(collection: Collection, query: Query): QueryResult | undefined {
    return (this.#overlay(collection) ?? this.#fixtures.of(collection.name)).query(query);
  }

  get(collection: Collection, id: string): JsonObject | undefined {
    return this.#find(collection, id);
  }

  insert(collection: Collection, { id, record }: StoredRecord): Insertion {
    const known = this.#overlay(collection);
    if (
      known === undefined
        ? this.#fixtures.of(collection.name).get(id) !== undefined
        : known.holds(id)
    )
      return 'taken';
    if (this.#added >= this.#limits.records) return 'full';
    refuseLong({ id, record }, this.#limits.record);
    const bytes = bytesOf(record);
    this.#refuseMore(bytes);
    const overlay = known ?? this.#ownOverlay(collection);
    const change = overlay.planAdding({ id, record: freezeRecord(record) }, bytes);
    this.#write(collection, overlay, change);
    overlay.add(change);
    this.#added += 1;
    this.#bytes += bytes;
    return 'inserted';
  }

  replace(collection: Collection, { id, record }: StoredRecord, read?: JsonObject): boolean {
    if (!this.#holds(collection, id, read)) return false;
    refuseLong({ id, record }, this.#limits.record);
    const bytes = bytesOf(record);
    this.#refuseMore(bytes - (this.#overlay(collection)?.bytesAt(id) ?? 0));
    const overlay = this.#ownOverlay(collection);
    this.#make(
      collection,
      overlay,
      overlay.planReplacing({ id, record: freezeRecord(record) }, bytes),
    );
    return true;
  }

  delete(collection: Collection, id: string, read?: JsonObject): boolean {
    if (!this.#holds(collection, id, read)) return false;
    this.#make(collection, this.#ownOverlay(collection), {
      id,
      record: undefined,
      turn: undefined,
    });
    return true;
  }

  nextInteger(collection: Collection): bigint {
    const overlay = this.#ownOverlay(collection);
    if (this.#log !== undefined) {
      const next = overlay.greatest + 1n;
      this.#log.count(collection, next);
      this.#counted.set(overlay, next);
    }
    return overlay.nextInteger();
  }

  async reset(session?: string): Promise<void> {
    const overlays = session === undefined ? undefined : this.#overlays(session);
    const added = session === undefined ? this.#added : addedIn(overlays);
    const bytes = session === undefined ? this.#bytes : bytesIn(overlays);
    this.#log?.forget(session);
    if (session === undefined) this.#sessions.clear();
    else this.#sessions.delete(session);
    this.#added -= added;
    this.#bytes -= bytes;
  }

  async dump(session: string): Promise<SessionDump> {
    const overlays = this.#overlays(session);
    const names = [...new Set([...this.#fixtures.keys(), ...(overlays?.keys() ?? [])])];
    const dumps = names.map((name): [string, CollectionDump] => [
      name,
      dumpCollection(overlays?.get(name) ?? new SessionOverlay(this.#fixtures.of(name))),
    ]);
    return { collections: Object.fromEntries(dumps) };
  }

  async restore(session: string, dump: SessionDump): Promise<void> {
    const changes = planRestore(dump, this.#fixtures);
    refuseLongChanges(changes, this.#limits.record);
    const overlays = this.#lay(changes);
    const before = bytesIn(this.#overlays(session));
    const added = this.#added - addedIn(this.#overlays(session)) + addedIn(overlays);
    if (added > this.#limits.records) throw tooMany(addedIn(overlays), this.#limits.records);
    this.#refuseMore(bytesIn(overlays) - before);
    this.#log?.rewrite(session, changes);
    this.#sessions.delete(session);
    this.#added = added;
    this.#bytes -= before;
    if (overlays.size > 0) this.#keep(session, overlays);
  }

  async sessions(): Promise<readonly string[]> {
    return this.#log?.sessions() ?? this.#sessions.keys();
  }

  async close(): Promise<void> {
    this.#log?.close();
    this.#sessions.clear();
    this.#fixtures = new FixtureCollections();
  }

  /** What takes no more than before is never refused. */
  #refuseMore(bytes: number): void {
    if (bytes > 0 && this.#bytes + bytes > this.#limits.bytes) throw outOfBytes(this.#limits.bytes);
  }

  /** Writes a change down and lets it take effect. */
  #make(collection: Collection, overlay: SessionOverlay, change: Change): void {
    this.#write(collection, overlay, change);
    const { added, bytes } = overlay;
    overlay.apply(change);
    this.#added += overlay.added - added;
    this.#bytes += overlay.bytes - bytes;
  }

  #write(collection: Collection, overlay: SessionOverlay, change: Change): void {
    if (this.#log === undefined) return;
    const greatest = greaterOf(overlay.greatest, change.id);
    const isNews = this.#counted.get(overlay) !== greatest;
    this.#log.write(collection, change, {
      isFixture: overlay.isFixture(change.id),
      greatest: isNews ? greatest : undefined,
    });
    this.#counted.set(overlay, greatest);
  }

  /** Whether there is a record; throws where it is not the one that was read. */
  #holds(collection: Collection, id: string, read: JsonObject | undefined): boolean {
    const record = this.#find(collection, id);
    if (record === undefined) return false;
    if (read !== undefined && !equalJson(record, read)) throw new RecordChanged(collection, id);
    return true;
  }

  #find(collection: Collection, id: string): JsonObject | undefined {
    const overlay = this.#overlay(collection);
    return overlay === undefined ? this.#fixtures.of(collection.name).get(id) : overlay.get(id);
  }

  #overlay({ session, name }: Collection): SessionOverlay | undefined {
    return this.#overlays(session)?.get(name);
  }

  #overlays(session: string): SessionOverlays | undefined {
    const held = this.#sessions.get(session);
    if (held !== undefined || this.#log === undefined) return held;
    const written = this.#log.read(session);
    return written === undefined ? undefined : this.#keep(session, this.#lay(written));
  }

  /** The session's overlay, made when it first changes something. */
  #ownOverlay({ session, name }: Collection): SessionOverlay {
    const overlays = this.#overlays(session) ?? this.#keep(session, new Map());
    return remember(overlays, name, () => new SessionOverlay(this.#fixtures.of(name)));
  }

  #keep(session: string, overlays: SessionOverlays): SessionOverlays {
    const forgotten = this.#sessions.set(session, overlays);
    this.#bytes += bytesIn(overlays);
    for (const gone of forgotten) this.#bytes -= bytesIn(gone);
    // What a log holds is not lost, only out of sight.
    if (this.#log === undefined) for (const gone of forgotten) this.#added -= addedIn(gone);
    return overlays;
  }

  #changes(session: string): SessionChanges {
    const overlays = this.#sessions.get(session) ?? new Map<string, SessionOverlay>();
    return new Map(
      [...overlays].map(([name, overlay]) => [
        name,
        { changes: overlay.changes(), greatest: overlay.greatest },
      ]),
    );
  }

  #lay(changes: SessionChanges): SessionOverlays {
    return new Map(
      [...changes].map(([name, collection]) => [
        name,
        SessionOverlay.of(this.#fixtures.of(name), collection),
      ]),
    );
  }
}

function addedIn(overlays: SessionOverlays | undefined): number {
  return [...(overlays?.values() ?? [])].reduce((total, overlay) => total + overlay.added, 0);
}

function bytesIn(overlays: SessionOverlays | undefined): number {
  return [...(overlays?.values() ?? [])].reduce((total, overlay) => total + overlay.bytes, 0);
}

function tooMany(added: number, max: number): VouchError {
  return new VouchError(
    'store-full',
    `The snapshot adds ${String(added)} records, and the mock may hold no ` +
      `more than ${String(max)} in all sessions.`,
    { hint: 'Reset sessions that are done, or start the mock with a greater mock.maxRecords.' },
  );
}
