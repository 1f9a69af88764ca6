import { equalJson } from '../../../json/equal-json.ts';
import { type JsonObject, membersWhere } from '../../../json/value.ts';
import { remember } from '../../../remember.ts';
import type { FixtureCollection } from '../../../store/fixture-collection.ts';
import { StoreView } from '../../../store/store-view.ts';
import {
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
import { deletionsOf, isMark, mark, markDump, markOf } from '../collection-name.ts';
import type { SeedRecords } from './seed-records.ts';

/**
 * A store whose collections have initial records that are generated on access. A collection needs
 * no memory before its session changes it: then its initial records are stored, with a mark.
 */
export class SeededStore extends StoreView {
  readonly #seeds: SeedRecords;
  readonly #filling = new Map<string, Promise<void>>();

  constructor(store: Store, seeds: SeedRecords) {
    super(store);
    this.#seeds = seeds;
  }

  override list(collection: Collection): MaybePromise<readonly StoredRecord[]> {
    if (this.#seeds.of(collection.name) === undefined) return this.behind.list(collection);
    return this.#untouched(collection).then(
      (seeds) => seeds?.records ?? this.behind.list(collection),
    );
  }

  override query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined> {
    // A fast path without a promise, because most collections have fixtures or are empty.
    if (this.#seeds.of(collection.name) === undefined) return this.behind.query(collection, query);
    return this.#untouched(collection).then((seeds) =>
      seeds === undefined ? this.behind.query(collection, query) : seeds.query(query),
    );
  }

  override get(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    return whenReady(this.#kept(collection, id), (kept) => kept ?? this.#unmade(collection, id));
  }

  /** What a session has, or starts with. */
  #kept(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    if (this.#seeds.of(collection.name) === undefined) return this.behind.get(collection, id);
    return this.#untouched(collection).then((seeds) =>
      seeds === undefined ? this.behind.get(collection, id) : seeds.get(id),
    );
  }

  /** A record that nothing makes, until its session deletes it. */
  #unmade({ session, name }: Collection, id: string): MaybePromise<JsonObject | undefined> {
    const record = this.#seeds.unmade(name, id);
    return (
      record &&
      whenReady(this.behind.get({ session, name: deletionsOf(name) }, id), (deleted) =>
        deleted === undefined ? record : undefined,
      )
    );
  }

  /**
   * A client's record replaces a generated one with its identifier: clients send the example of the
   * contract, and initial records have the identifiers of examples.
   */
  override insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    return this.#filled(collection, () =>
      whenReady(this.behind.insert(collection, stored), (insertion) =>
        insertion === 'taken' ? this.#takeOver(collection, stored) : insertion,
      ),
    );
  }

  /** Replaces an unchanged initial record. */
  #takeOver(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    const initial = this.#seeds.of(collection.name)?.get(stored.id);
    if (initial === undefined) return 'taken';
    return whenReady(this.behind.get(collection, stored.id), (current) =>
      current === undefined || !equalJson(current, initial)
        ? 'taken'
        : whenReady(this.behind.replace(collection, stored, current), (isReplaced) =>
            isReplaced ? 'inserted' : 'taken',
          ),
    );
  }

  override replace(
    collection: Collection,
    stored: StoredRecord,
    read?: JsonObject,
  ): MaybePromise<boolean> {
    return this.#filled(collection, () =>
      whenReady(this.behind.replace(collection, stored, read), (isReplaced) =>
        isReplaced ? true : this.#makeKept(collection, stored),
      ),
    );
  }

  override delete(collection: Collection, id: string, read?: JsonObject): MaybePromise<boolean> {
    return this.#filled(collection, () =>
      whenReady(this.#unmade(collection, id), (unmade) =>
        unmade === undefined
          ? this.behind.delete(collection, id, read)
          : this.#forget(collection, id),
      ),
    );
  }

  /** Keeps the first change of a record that nothing makes. */
  #makeKept(collection: Collection, stored: StoredRecord): MaybePromise<boolean> {
    return whenReady(this.#unmade(collection, stored.id), (unmade) =>
      unmade === undefined
        ? false
        : whenReady(this.behind.insert(collection, stored), (made) => made === 'inserted'),
    );
  }

  /** Deletes a record that nothing makes, for good. */
  async #forget(collection: Collection, id: string): Promise<boolean> {
    await this.behind.delete(collection, id);
    const deletions = { session: collection.session, name: deletionsOf(collection.name) };
    return (await this.behind.insert(deletions, { id, record: {} })) === 'inserted';
  }

  override nextInteger(collection: Collection): MaybePromise<bigint> {
    return this.#filled(collection, () => this.behind.nextInteger(collection));
  }

  /** Without marks: a collection in a dump has been filled. */
  override async dump(session: string): Promise<SessionDump> {
    const { collections } = await this.behind.dump(session);
    return { collections: membersWhere(collections, (name) => !isMark(name)) };
  }

  override restore(session: string, { collections }: SessionDump): Promise<void> {
    const marks = Object.keys(collections)
      .filter((name) => this.#seeds.of(name) !== undefined)
      .map((name) => [markOf(name), markDump] as const);
    return this.behind.restore(session, {
      collections: { ...collections, ...Object.fromEntries(marks) },
    });
  }

  /** The initial records of a collection before its session changes it; undefined after that. */
  async #untouched({ session, name }: Collection): Promise<FixtureCollection | undefined> {
    const seeds = this.#seeds.of(name);
    if (seeds === undefined) return undefined;
    return (await this.behind.get({ session, name: markOf(name) }, mark.id)) === undefined
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
    return remember(this.#filling, key, () =>
      this.#fillOnce(collection).finally(() => this.#filling.delete(key)),
    );
  }

  async #fillOnce(collection: Collection): Promise<void> {
    const seeds = await this.#untouched(collection);
    if (seeds === undefined) return;
    for (const stored of seeds.records) await this.behind.insert(collection, stored);
    await this.behind.insert({ session: collection.session, name: markOf(collection.name) }, mark);
  }
}
