import type { JsonObject } from '../json/value.ts';
import type {
  Collection,
  Fixtures,
  Insertion,
  MaybePromise,
  Query,
  QueryResult,
  SessionDump,
  Store,
  StoredRecord,
} from './store.ts';

/** A store in front of another one, which does what is not overridden. */
export class StoreView implements Store {
  protected readonly behind: Store;

  constructor(behind: Store) {
    this.behind = behind;
  }

  /** How the collection is called in the store behind. */
  protected named(collection: Collection): Collection {
    return collection;
  }

  get kind(): string {
    return this.behind.kind;
  }

  get recordLimit(): number {
    return this.behind.recordLimit;
  }

  seed(fixtures: Fixtures): Promise<void> {
    return this.behind.seed(fixtures);
  }

  list(collection: Collection): MaybePromise<readonly StoredRecord[]> {
    return this.behind.list(this.named(collection));
  }

  query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined> {
    return this.behind.query(this.named(collection), query);
  }

  get(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    return this.behind.get(this.named(collection), id);
  }

  insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion> {
    return this.behind.insert(this.named(collection), stored);
  }

  replace(collection: Collection, stored: StoredRecord, read?: JsonObject): MaybePromise<boolean> {
    return this.behind.replace(this.named(collection), stored, read);
  }

  delete(collection: Collection, id: string, read?: JsonObject): MaybePromise<boolean> {
    return this.behind.delete(this.named(collection), id, read);
  }

  nextInteger(collection: Collection): MaybePromise<bigint> {
    return this.behind.nextInteger(this.named(collection));
  }

  reset(session?: string): Promise<void> {
    return this.behind.reset(session);
  }

  dump(session: string): Promise<SessionDump> {
    return this.behind.dump(session);
  }

  restore(session: string, dump: SessionDump): Promise<void> {
    return this.behind.restore(session, dump);
  }

  sessions(): Promise<readonly string[]> {
    return this.behind.sessions();
  }

  close(): Promise<void> {
    return this.behind.close();
  }
}
