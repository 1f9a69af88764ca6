import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { FixtureCollection } from '../../../store/fixture-collection.ts';
import {
  type Fixtures,
  type Insertion,
  type MaybePromise,
  type Query,
  type QueryResult,
  type SessionDump,
  type Collection,
  type Store,
  type StoredRecord,
  whenReady,
} from '../../../store/store.ts';
import { isMark, mark, markDump, markOf } from '../collection-name.ts';
import type { SeedRecords } from './seed-records.ts';

/**
 * A store whose collections have initial records that are generated on access. A collection needs
 * no memory before its session changes it: then its initial records are stored, with a mark.
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
    // A fast path without a promise, because most collections have fixtures or are empty.
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

  /**
   * A client's record replaces a generated one with its identifier: clients send the example of the
   * contract, and initial records have the identifiers of examples.
   */
  insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    return this.#filled(collection, () =>
      whenReady(this.#store.insert(collection, stored), (insertion) =>
        insertion === 'taken' ? this.#takeOver(collection, stored) : insertion,
      ),
    );
  }

  /** Replaces an unchanged initial record. */
  #takeOver(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    const initial = this.#seeds.of(collection.name)?.get(stored.id);
    if (initial === undefined) return 'taken';
    return whenReady(this.#store.get(collection, stored.id), (current) =>
      current === undefined || !equalJson(current, initial)
        ? 'taken'
        : whenReady(this.#store.replace(collection, stored), (isReplaced) =>
            isReplaced ? 'inserted' : 'taken',
          ),
    );
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

  /** Without marks: a collection in a dump has been filled. */
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

  /** The initial records of a collection before its session changes it; undefined after that. */
  async #untouched({ session, name }: Collection): Promise<FixtureCollection | undefined> {
    const seeds = this.#seeds.of(name);
    if (seeds === undefined) return undefined;
    return (await this.#store.get({ session, name: markOf(name) }, mark.id)) === undefined
      ? seeds
      : undefined;
  }

  /** Changes a collection after its initial records are stored; synchronously if it has none. */
  #filled<Result>(
    collection: Collection,
    change: () => MaybePromise<Result>,
  ): MaybePromise<Result> {
    return this.#seeds.of(collection.name) === undefined
      ? change()
      : this.#fill(collection).then(change);
  }

  /**
   * Stores the initial records of a collection before the first change; once, for any number of
   * concurrent requests.
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
