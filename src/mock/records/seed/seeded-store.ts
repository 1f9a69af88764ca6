import type { JsonObject } from '../../../json/value.ts';
import type { FixtureShelf } from '../../../store/fixture-shelf.ts';
import type {
  Fixtures,
  Insertion,
  MaybePromise,
  Query,
  QueryResult,
  SessionDump,
  Shelf,
  Store,
  StoredRecord,
} from '../../../store/store.ts';
import { isMark, mark, markDump, markOf } from '../shelf-name.ts';
import type { SeedRecords } from './seed-records.ts';

/**
 * A store whose shelves start with records that are made when somebody looks. A shelf costs nothing
 * until its session changes it: only then do its first records go into the store itself, with a
 * mark that they did.
 */
export class SeededStore implements Store {
  readonly #store: Store;
  readonly #seeds: SeedRecords;
  readonly #filling = new Map<string, Promise<void>>();

  constructor(store: Store, seeds: SeedRecords) {
    this.#store = store;
    this.#seeds = seeds;
  }

  get kind(): string {
    return this.#store.kind;
  }

  get recordLimit(): number {
    return this.#store.recordLimit;
  }

  seed(fixtures: Fixtures): Promise<void> {
    return this.#store.seed(fixtures);
  }

  list(shelf: Shelf): MaybePromise<readonly StoredRecord[]> {
    if (this.#seeds.of(shelf.collection) === undefined) return this.#store.list(shelf);
    return this.#untouched(shelf).then((seeds) => seeds?.records ?? this.#store.list(shelf));
  }

  query(shelf: Shelf, query: Query): MaybePromise<QueryResult | undefined> {
    // Most shelves have fixtures or were never empty: they must not wait for nothing.
    if (this.#seeds.of(shelf.collection) === undefined) return this.#store.query(shelf, query);
    return this.#untouched(shelf).then((seeds) =>
      seeds === undefined ? this.#store.query(shelf, query) : seeds.query(query),
    );
  }

  get(shelf: Shelf, id: string): MaybePromise<JsonObject | undefined> {
    if (this.#seeds.of(shelf.collection) === undefined) return this.#store.get(shelf, id);
    return this.#untouched(shelf).then((seeds) =>
      seeds === undefined ? this.#store.get(shelf, id) : seeds.get(id),
    );
  }

  insert(shelf: Shelf, stored: StoredRecord): MaybePromise<Insertion> {
    return this.#filled(shelf, () => this.#store.insert(shelf, stored));
  }

  replace(shelf: Shelf, stored: StoredRecord): MaybePromise<boolean> {
    return this.#filled(shelf, () => this.#store.replace(shelf, stored));
  }

  delete(shelf: Shelf, id: string): MaybePromise<boolean> {
    return this.#filled(shelf, () => this.#store.delete(shelf, id));
  }

  nextInteger(shelf: Shelf): MaybePromise<bigint> {
    return this.#filled(shelf, () => this.#store.nextInteger(shelf));
  }

  reset(session?: string): Promise<void> {
    return this.#store.reset(session);
  }

  /** Marks are left out: a shelf that is in a dump has been filled. */
  async dump(session: string): Promise<SessionDump> {
    const { collections } = await this.#store.dump(session);
    return {
      collections: Object.fromEntries(
        Object.entries(collections).filter(([name]) => !isMark(name)),
      ),
    };
  }

  restore(session: string, { collections }: SessionDump): Promise<void> {
    const marks = Object.keys(collections)
      .filter((name) => this.#seeds.of(name) !== undefined)
      .map((name) => [markOf(name), markDump] as const);
    return this.#store.restore(session, {
      collections: { ...collections, ...Object.fromEntries(marks) },
    });
  }

  sessions(): Promise<readonly string[]> {
    return this.#store.sessions();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /**
   * The records that a shelf starts with, as long as its session has not changed it; undefined
   * where the store knows better.
   */
  async #untouched({ session, collection }: Shelf): Promise<FixtureShelf | undefined> {
    const seeds = this.#seeds.of(collection);
    if (seeds === undefined) return undefined;
    return (await this.#store.get({ session, collection: markOf(collection) }, mark.id)) ===
      undefined
      ? seeds
      : undefined;
  }

  /** Changes a shelf once its first records are in the store; at once where it has none. */
  #filled<Result>(shelf: Shelf, change: () => MaybePromise<Result>): MaybePromise<Result> {
    return this.#seeds.of(shelf.collection) === undefined
      ? change()
      : this.#fill(shelf).then(change);
  }

  /**
   * Puts the first records of a shelf into the store before its session changes it; once, however
   * many ask at the same time.
   */
  #fill(shelf: Shelf): Promise<void> {
    const key = `${shelf.session} ${shelf.collection}`;
    const under =
      this.#filling.get(key) ?? this.#fillOnce(shelf).finally(() => this.#filling.delete(key));
    this.#filling.set(key, under);
    return under;
  }

  async #fillOnce(shelf: Shelf): Promise<void> {
    const seeds = await this.#untouched(shelf);
    if (seeds === undefined) return;
    for (const stored of seeds.records) await this.#store.insert(shelf, stored);
    await this.#store.insert(
      { session: shelf.session, collection: markOf(shelf.collection) },
      mark,
    );
  }
}
