import { pathKey } from '../../contract/infer/path-groups.ts';
import type { Contract, Resource } from '../../contract/model.ts';
import type { Store } from '../../store/store.ts';
import { isView, shelfName } from './shelf-name.ts';

/** The kind that keeps the records of a resource, and the kinds that may stand below it. */
export interface Family {
  readonly keeper: Resource;
  readonly others: readonly Resource[];
}

/**
 * A record that is gone: its session, and the texts of what it stood below with its own at the end.
 */
export interface RemovedRecord {
  readonly session: string;
  readonly texts: readonly string[];
}

/**
 * Removes what stood below a record that is gone, at any depth: a record that is given its
 * identifier later starts with nothing below it. Records that are only shown there are kept
 * elsewhere, and stay.
 */
export async function removeBelow(
  { session, texts }: RemovedRecord,
  { keeper, others }: Family,
  store: Store,
): Promise<void> {
  for (const below of others) {
    if (isView(below) || below.parents.at(-1)?.resource?.name !== keeper.name) continue;
    const shelf = { session, collection: shelfName(below, texts) };
    for (const { id } of await store.list(shelf)) {
      await store.delete(shelf, id);
      await removeBelow({ session, texts: [...texts, id] }, { keeper: below, others }, store);
    }
  }
}

/**
 * The family of a resource, found by its paths: resources elsewhere in the contract are not looked
 * at.
 */
export function familyOf(
  resource: Resource,
  { operations, inference }: Pick<Contract, 'operations' | 'inference'>,
): Family {
  const keeper = isView(resource) ? (inference.named(resource.collection) ?? resource) : resource;
  const { itemPath } = keeper;
  if (itemPath === undefined) return { keeper, others: [] };
  const under = operations.filter(({ path }) => pathKey(path).startsWith(`${pathKey(itemPath)}/`));
  const placements = under.map((operation) => inference.placementOf(operation));
  return {
    keeper,
    others: [
      ...new Set(
        placements.flatMap((placement) =>
          placement?.kind === 'resource' ? [placement.resource] : [],
        ),
      ),
    ],
  };
}
