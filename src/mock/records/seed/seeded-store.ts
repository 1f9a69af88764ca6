import type { JsonObject } from '../../../json/value.ts';
import type { FixtureCollection } from '../../../store/fixture-collection.ts';
import type {
  Fixtures,
  Insertion,
  MaybePromise,
  Query,
  QueryResult,
  SessionDump,
  Collection,
  Store,
  StoredRecord,
} from '../../../store/store.ts';
import { isMark, mark, markDump, markOf } from '../collection-name.ts';
import type { SeedRecords } from './seed-records.ts';

/**
 * A store whose collections start with records that are made when somebody looks. A collection
 * costs nothing until its session changes it: only then do its first records go into the store
 * itself, with a mark that they did.
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

  list(collection: Collection): MaybePromise<readonly StoredRecord[]> {
    if (this.#seeds.of(collection.name) === undefined) return this.#store.list(collection);
    return this.#untouched(collection).then(
      (seeds) => seeds?.records ?? this.#store.list(collection),
    );
  }

  query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined> {
    // Most collections have fixtures or were never empty: they must not wait for nothing.
    if (this.#seeds.of(collection.name) === undefined) return this.#store.query(collection, query);
    return this.#untouched(collection).then((seeds) =>
      seeds === undefined ? this.#store.query(collection, query) : seeds.query(query),
    );
  }

  get(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    if (this.#seeds.of(collection.name) === undefined) return this.#store.get(collection, id);
    return this.#untouched(collection).then((seeds) =>
      seeds === undefined ? this.#store.get(collection, id) : seeds.get(id),
    );
  }

  insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    return this.#filled(collection, () => this.#store.insert(collection, stored));
  }

  replace(collection: Collection, stored: StoredRecord): MaybePromise<boolean> {
    return this.#filled(collection, () => this.#store.replace(collection, stored));
  }

  delete(collection: Collection, id: string): MaybePromise<boolean> {
    return this.#filled(collection, () => this.#store.delete(collection, id));
  }

  nextInteger(collection: Collection): MaybePromise<bigint> {
    return this.#filled(collection, () => this.#store.nextInteger(collection));
  }

  reset(session?: string): Promise<void> {
    return this.#store.reset(session);
  }

  /** Marks are left out: a collection that is in a dump has been filled. */
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
   * The records that a collection starts with, as long as its session has not changed it; undefined
   * where the store knows better.
   */
  async #untouched({ session, name }: Collection): Promise<FixtureCollection | undefined> {
    const seeds = this.#seeds.of(name);
    if (seeds === undefined) return undefined;
    return (await this.#store.get({ session, name: markOf(name) }, mark.id)) === undefined
      ? seeds
      : undefined;
  }

  /** Changes a collection once its first records are in the store; at once where it has none. */
  #filled<Result>(
    collection: Collection,
    change: () => MaybePromise<Result>,
  ): MaybePromise<Result> {
    return this.#seeds.of(collection.name) === undefined
      ? change()
      : this.#fill(collection).then(change);
  }

  /**
   * Puts the first records of a collection into the store before its session changes it; once,
   * however many ask at the same time.
   */
  #fill(collection: Collection): Promise<void> {
    const key = `${collection.session} ${collection.name}`;
    const under =
      this.#filling.get(key) ?? this.#fillOnce(collection).finally(() => this.#filling.delete(key));
    this.#filling.set(key, under);
    return under;
  }

  async #fillOnce(collection: Collection): Promise<void> {
    const seeds = await this.#untouched(collection);
    if (seeds === undefined) return;
    for (const stored of seeds.records) await this.#store.insert(collection, stored);
    await this.#store.insert({ session: collection.session, name: markOf(collection.name) }, mark);
  }
}
