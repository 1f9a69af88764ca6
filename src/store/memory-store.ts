import type { JsonObject } from '../json/value.ts';
import { emptyShelf, makeFixtureShelf, type FixtureShelf } from './fixture-shelf.ts';
import { freezeRecord } from './freeze-json.ts';
import { Overlay } from './overlay.ts';
import { RecentMap } from './recent-map.ts';
import type { Fixtures, Shelf, Store, StoredRecord } from './store.ts';

/** How much a memory store holds. */
export interface MemoryLimits {
  /** Sessions that have changed something; one more, and the one that was unused for the longest starts anew. 10,000 unless told. */
  readonly sessions?: number;
}

/**
 * A store in this process's memory. Sessions share the fixtures and keep only what they changed. What goes in is copied, what
 * comes out is frozen. Each method takes effect in one step, so that calls at the same time never see half of another.
 */
export function makeMemoryStore(limits: MemoryLimits = {}): Store {
  return new MemoryStore(limits.sessions ?? 10_000);
}

class MemoryStore implements Store {
  readonly kind = 'memory';
  readonly #sessions: RecentMap<string, Map<string, Overlay>>;
  #fixtures: ReadonlyMap<string, FixtureShelf> = new Map();

  constructor(sessions: number) {
    this.#sessions = new RecentMap(sessions);
  }

  async seed(fixtures: Fixtures): Promise<void> {
    this.#fixtures = new Map([...fixtures].map(([collection, records]) => [collection, makeFixtureShelf(collection, records)]));
    this.#sessions.clear();
  }

  async list(shelf: Shelf): Promise<readonly StoredRecord[]> {
    return this.#overlay(shelf)?.list() ?? this.#base(shelf).records;
  }

  async get(shelf: Shelf, id: string): Promise<JsonObject | undefined> {
    return this.#find(shelf, id);
  }

  async insert(shelf: Shelf, { id, record }: StoredRecord): Promise<boolean> {
    if (this.#find(shelf, id) !== undefined) return false;
    this.#ownOverlay(shelf).add({ id, record: freezeRecord(record) });
    return true;
  }

  async replace(shelf: Shelf, { id, record }: StoredRecord): Promise<boolean> {
    if (this.#find(shelf, id) === undefined) return false;
    this.#ownOverlay(shelf).replace({ id, record: freezeRecord(record) });
    return true;
  }

  async delete(shelf: Shelf, id: string): Promise<boolean> {
    if (this.#find(shelf, id) === undefined) return false;
    this.#ownOverlay(shelf).remove(id);
    return true;
  }

  async nextInteger(shelf: Shelf): Promise<bigint> {
    return this.#ownOverlay(shelf).nextInteger();
  }

  async reset(session?: string): Promise<void> {
    if (session === undefined) this.#sessions.clear();
    else this.#sessions.delete(session);
  }

  async close(): Promise<void> {
    this.#sessions.clear();
    this.#fixtures = new Map();
  }

  #find(shelf: Shelf, id: string): JsonObject | undefined {
    const overlay = this.#overlay(shelf);
    return overlay === undefined ? this.#base(shelf).byId.get(id) : overlay.get(id);
  }

  #base({ collection }: Shelf): FixtureShelf {
    return this.#fixtures.get(collection) ?? emptyShelf;
  }

  #overlay({ session, collection }: Shelf): Overlay | undefined {
    return this.#sessions.get(session)?.get(collection);
  }

  /** The session's overlay, made when it first changes something. */
  #ownOverlay(shelf: Shelf): Overlay {
    const overlays = this.#sessions.get(shelf.session) ?? new Map<string, Overlay>();
    if (overlays.size === 0) this.#sessions.set(shelf.session, overlays);
    const known = overlays.get(shelf.collection);
    if (known !== undefined) return known;
    const overlay = new Overlay(this.#base(shelf));
    overlays.set(shelf.collection, overlay);
    return overlay;
  }
}
