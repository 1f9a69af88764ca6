import type { Resource } from '../../contract/model.ts';
import { makeMemoryStore } from '../../store/local-store.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import type {
  Collection,
  Condition,
  FieldCondition,
  MaybePromise,
  Query,
  QueryResult,
  Store,
  StoredRecord,
} from '../../store/store.ts';
import { whenReady } from '../../store/store.ts';
import { collectionName, isView, parentCollection } from './collection-name.ts';

/** The parents of a collection, outermost first; undefined for any. */
export type ParentTexts = readonly (string | undefined)[];

/** The collections of a resource below the parents that there are, and that are wanted. */
export async function collectionsBelow(
  wanted: ParentTexts,
  resource: Resource,
  { session, store }: { readonly session: string; readonly store: Store },
): Promise<Collection[]> {
  if (isView(resource)) return [{ session, name: resource.collection }];
  let places: readonly (readonly string[])[] = [[]];
  for (const index of resource.parents.keys()) {
    const given = wanted[index];
    const found = await Promise.all(
      places.map(async (above) => {
        if (given !== undefined) return [[...above, given]];
        const name = parentCollection(resource.parents, index, above);
        const records = name === undefined ? [] : await store.list({ session, name });
        return records.map(({ id }) => [...above, id]);
      }),
    );
    places = found.flat();
  }
  return places.map((texts) => ({ session, name: collectionName(resource, texts) }));
}

/** All records of some collections, with the collection of each. */
export async function recordsOf(
  collections: readonly Collection[],
  store: Store,
): Promise<(StoredRecord & { readonly collection: Collection })[]> {
  const all: (StoredRecord & { readonly collection: Collection })[] = [];
  for (const collection of collections)
    for (const { id, record } of await store.list(collection)) all.push({ id, record, collection });
  return all;
}

/** The records of a collection that meet conditions, at most so many of them. */
export function recordsWhere(
  store: Store,
  collection: Collection,
  where: readonly Condition[],
  limit?: number,
): MaybePromise<readonly StoredRecord[]> {
  const query = { where, order: [], offset: 0, ...defined({ limit }) };
  return whenReady(store.query(collection, query), (found) => found?.records ?? []);
}

/** That a field has one of some values. */
export function among(field: string, values: readonly JsonValue[]): FieldCondition {
  return { op: 'in', field, values };
}

/** What a query finds among some records. */
export async function queryAmong(
  records: readonly StoredRecord[],
  query: Query,
): Promise<QueryResult | undefined> {
  const store = makeMemoryStore();
  await store.seed(new Map([['all', records]]));
  return store.query({ session: '', name: 'all' }, query);
}
