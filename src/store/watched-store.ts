import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { StoreView } from './store-view.ts';
import type { Collection, MaybePromise, Query, QueryResult, Store, StoredRecord } from './store.ts';
import { RecordChanged, whenReady } from './store.ts';

/** Somebody succeeds each time that a change is made again: so many in a row are no coincidence. */
const maxAttempts = 200;

/**
 * Makes a change whose records are, when it writes them, still as it read them: otherwise it is
 * made again. Other processes may share the store. Throws a VouchError ('store-unavailable') where
 * others change a record all the time.
 */
export function changeAtomically<Result>(
  store: Store,
  change: (view: Store) => MaybePromise<Result>,
  attempts = maxAttempts,
): MaybePromise<Result> {
  const result = change(new WatchedStore(store));
  // A store of one process answers at once, and its changes are separated already.
  if (!(result instanceof Promise)) return result;
  return result.catch((error: unknown) => {
    if (!(error instanceof RecordChanged)) throw error;
    if (attempts > 1) return changeAtomically(store, change, attempts - 1);
    throw new VouchError('store-unavailable', `The change was not made: ${error.message}.`, {
      cause: error,
      hint: 'Send it again.',
    });
  });
}

/** A store that remembers each record as it was first read, and changes no other one. */
class WatchedStore extends StoreView {
  readonly #read = new Map<string, JsonObject>();

  override get(collection: Collection, id: string): MaybePromise<JsonObject | undefined> {
    return whenReady(this.behind.get(collection, id), (record) => {
      if (record !== undefined) this.#remember(collection, { id, record });
      return record;
    });
  }

  /** A query for one record reads it as `get` does. */
  override query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined> {
    return whenReady(this.behind.query(collection, query), (result) => {
      const [only] = query.limit === 1 ? (result?.records ?? []) : [];
      if (only !== undefined) this.#remember(collection, only);
      return result;
    });
  }

  override replace(
    collection: Collection,
    stored: StoredRecord,
    read = this.#known(collection, stored.id),
  ): MaybePromise<boolean> {
    return whenReady(this.behind.replace(collection, stored, read), (isReplaced) => {
      this.#read.delete(keyOf(collection, stored.id));
      return isReplaced;
    });
  }

  override delete(
    collection: Collection,
    id: string,
    read = this.#known(collection, id),
  ): MaybePromise<boolean> {
    return this.behind.delete(collection, id, read);
  }

  #remember(collection: Collection, { id, record }: StoredRecord): void {
    const key = keyOf(collection, id);
    if (!this.#read.has(key)) this.#read.set(key, record);
  }

  #known(collection: Collection, id: string): JsonObject | undefined {
    return this.#read.get(keyOf(collection, id));
  }
}

function keyOf({ session, name }: Collection, id: string): string {
  return `${session}\0${name}\0${id}`;
}
