import type { Resource } from '../../contract/model.ts';
import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import type { Store } from '../../store/store.ts';
import { conditionsBelow } from '../records/parent-fields.ts';
import { isMark, shelfName, shelfOwner, shelfParents } from '../records/shelf-name.ts';

/** Below more records than this nobody looks at once: each is a question to the store. */
export const mostParents = 200;

/** Where parents are looked for, and which of them are known already, the outermost first. */
export interface ParentSearch {
  readonly session: string;
  readonly store: Store;
  readonly parents: readonly string[];
}

/**
 * Every combination of records below which those of a resource can stand, each outermost first;
 * undefined where there are more than 200. Where the contract lets nobody know which there are,
 * those below which some record stands.
 */
export async function parentsAbove(
  resource: Resource,
  search: ParentSearch,
): Promise<readonly (readonly string[])[] | undefined> {
  const { parents } = search;
  if (parents.length >= resource.parents.length) return [parents];
  const unknown = resource.parents
    .slice(parents.length)
    .some(({ resource: above }) => above === undefined || !hasKnownRecords(above));
  return unknown ? touchedParents(resource, search) : walkDown(resource, search);
}

async function touchedParents(
  { collection }: Resource,
  { session, store, parents }: ParentSearch,
): Promise<string[][] | undefined> {
  const { collections } = await store.dump(session);
  const shelves = Object.keys(collections).filter(
    (shelf) => shelfOwner(shelf) === collection && !isMark(shelf),
  );
  const found = shelves
    .map(shelfParents)
    .filter((texts) => parents.every((text, index) => texts[index] === text));
  return found.length > mostParents ? undefined : found;
}

async function walkDown(
  resource: Resource,
  { session, store, parents }: ParentSearch,
): Promise<readonly (readonly string[])[] | undefined> {
  let found: readonly (readonly string[])[] = [parents];
  for (const { resource: above } of resource.parents.slice(parents.length)) {
    if (above === undefined) return [];
    const next: (readonly string[])[] = [];
    for (const texts of found) {
      const below = await store.query(
        { session, collection: shelfName(above, texts) },
        {
          where: conditionsBelow(texts, above),
          order: [],
          offset: 0,
          limit: mostParents + 1 - next.length,
        },
      );
      next.push(...(below?.records ?? []).map(({ id }) => [...texts, id]));
      if (next.length > mostParents) return undefined;
    }
    found = next;
  }
  return found;
}
