import type { JsonObject } from '../json/value.ts';
import type {
  CollectionDump,
  Fixtures,
  Insertion,
  MaybePromise,
  Query,
  QueryResult,
  SessionDump,
  Collection,
  Store,
  StoredRecord,
} from './store.ts';

/**
 * How the collections of one part are called in the store that it shares, both ways; undefined for
 * another part's.
 */
export interface CollectionNames {
  toShared(own: string): string;
  toOwn(shared: string): string | undefined;
}

/**
 * Divides a store into parts with separate collections, for several contracts. `reset` and `close`
 * of a part do nothing; the owner of the whole store calls them.
 */
export function divideStore(store: Store, parts: readonly CollectionNames[]): Store[] {
  const fixtures: Fixtures[] = parts.map(() => new Map());
  return parts.map(
    (names, index) =>
      new StorePart(store, names, async (own) => {
        fixtures[index] = new Map(
          [...own].map(([name, records]) => [names.toShared(name), records]),
        );
        await store.seed(new Map(fixtures.flatMap((part) => [...part])));
      }),
  );
}

class StorePart implements Store {
  readonly #whole: Store;
  readonly #names: CollectionNames;
  readonly seed: (fixtures: Fixtures) => Promise<void>;

  constructor(whole: Store, names: CollectionNames, seed: (fixtures: Fixtures) => Promise<void>) {
    this.#whole = whole;
    this.#names = names;
    this.seed = seed;
  }

  get kind(): string {
    return this.#whole.kind;
  }

  get recordLimit(): number {
    return this.#whole.recordLimit;
  }

  list(collection: Collection): MaybePromise<readonly StoredRecord[]> {
    return this.#whole.list(this.#shared(collection));
  }

  query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined> {
    return this.#whole.query(this.#shared(collection), query);
  }

  get(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    return this.#whole.get(this.#shared(collection), id);
  }

  insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    return this.#whole.insert(this.#shared(collection), stored);
  }

  replace(collection: Collection, stored: StoredRecord, read?: JsonObject): MaybePromise<boolean> {
    return this.#whole.replace(this.#shared(collection), stored, read);
  }

  delete(collection: Collection, id: string, read?: JsonObject): MaybePromise<boolean> {
    return this.#whole.delete(this.#shared(collection), id, read);
  }

  nextInteger(collection: Collection): MaybePromise<bigint> {
    return this.#whole.nextInteger(this.#shared(collection));
  }

  async reset(): Promise<void> {}

  async dump(session: string): Promise<SessionDump> {
    const { collections } = await this.#whole.dump(session);
    return { collections: this.#own(collections) };
  }

  /** What the other parts keep for the session stays. */
  async restore(session: string, { collections }: SessionDump): Promise<void> {
    const whole = await this.#whole.dump(session);
    const others = Object.entries(whole.collections).filter(
      ([name]) => this.#names.toOwn(name) === undefined,
    );
    const own = Object.entries(collections).map(
      ([name, dump]) => [this.#names.toShared(name), dump] as const,
    );
    await this.#whole.restore(session, { collections: Object.fromEntries([...others, ...own]) });
  }

  sessions(): Promise<readonly string[]> {
    return this.#whole.sessions();
  }

  async close(): Promise<void> {}

  #shared({ session, name }: Collection): Collection {
    return { session, name: this.#names.toShared(name) };
  }

  #own(collections: SessionDump['collections']): SessionDump['collections'] {
    return Object.fromEntries(
      Object.entries(collections).flatMap(([name, dump]): [string, CollectionDump][] => {
        const own = this.#names.toOwn(name);
        return own === undefined ? [] : [[own, dump]];
      }),
    );
  }
}
