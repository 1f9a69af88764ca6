import type { CollectionDump, Fixtures, SessionDump, Collection, Store } from './store.ts';
import { StoreView } from './store-view.ts';

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

class StorePart extends StoreView {
  readonly #names: CollectionNames;
  override readonly seed: (fixtures: Fixtures) => Promise<void>;

  constructor(whole: Store, names: CollectionNames, seed: (fixtures: Fixtures) => Promise<void>) {
    super(whole);
    this.#names = names;
    this.seed = seed;
  }

  protected override named({ session, name }: Collection): Collection {
    return { session, name: this.#names.toShared(name) };
  }

  override async reset(): Promise<void> {}

  override async dump(session: string): Promise<SessionDump> {
    const { collections } = await this.behind.dump(session);
    return { collections: this.#own(collections) };
  }

  /** What the other parts keep for the session stays. */
  override async restore(session: string, { collections }: SessionDump): Promise<void> {
    const whole = await this.behind.dump(session);
    const others = Object.entries(whole.collections).filter(
      ([name]) => this.#names.toOwn(name) === undefined,
    );
    const own = Object.entries(collections).map(
      ([name, dump]) => [this.#names.toShared(name), dump] as const,
    );
    await this.behind.restore(session, { collections: Object.fromEntries([...others, ...own]) });
  }

  override async close(): Promise<void> {}

  #own(collections: SessionDump['collections']): SessionDump['collections'] {
    return Object.fromEntries(
      Object.entries(collections).flatMap(([name, dump]): [string, CollectionDump][] => {
        const own = this.#names.toOwn(name);
        return own === undefined ? [] : [[own, dump]];
      }),
    );
  }
}
