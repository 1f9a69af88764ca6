import type { FlatSchema, Resource } from '../model.ts';
import { lastWord } from './conventions/path-styles.ts';
import { plainName, singularOf } from './infer-names.ts';

/**
 * The resource whose records the objects under a name refer to: they hold the identifier of a
 * record, and are called as its collection is. `category: [{ "id": …, "href": … }]` names records
 * of `/category`. Undefined if no resource, or several, are called so.
 */
export function namedByObject(
  name: string,
  { properties }: Pick<FlatSchema, 'properties'>,
  resources: readonly Resource[],
): Resource | undefined {
  const called = plainName(singularOf(name));
  const [found, ...others] = resources.filter(
    ({ kind, parents, itemPath, collectionPath, identifier }) =>
      kind === 'collection' &&
      parents.length === 0 &&
      itemPath !== undefined &&
      properties.has(identifier.field) &&
      plainName(singularOf(lastWord(collectionPath))) === called,
  );
  return others.length === 0 ? found : undefined;
}
