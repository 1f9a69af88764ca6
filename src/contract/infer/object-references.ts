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
  const [found, ...others] = calledAs(name, resources).filter(
    ({ itemPath, identifier }) => itemPath !== undefined && properties.has(identifier.field),
  );
  return others.length === 0 ? found : undefined;
}

/** The resources below no other one that are called by a word, in the singular or plural. */
export function calledAs(name: string, resources: readonly Resource[]): Resource[] {
  const called = plainName(singularOf(name));
  return resources.filter(
    ({ kind, parents, collectionPath }) =>
      kind === 'collection' &&
      parents.length === 0 &&
      plainName(singularOf(lastWord(collectionPath))) === called,
  );
}
