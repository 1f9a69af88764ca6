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
export function calledAs(name: string, resources: readonly Resource[]): readonly Resource[] {
  let words = wordsOf.get(resources);
  if (words === undefined) {
    const top = resources.filter(
      ({ kind, parents }) => kind === 'collection' && parents.length === 0,
    );
    words = Map.groupBy(top, ({ collectionPath }) => comparable(lastWord(collectionPath)));
    wordsOf.set(resources, words);
  }
  return words.get(comparable(name)) ?? [];
}

/** Each object of each body is looked up, and a contract may have hundreds of resources. */
const wordsOf = new WeakMap<readonly Resource[], ReadonlyMap<string, Resource[]>>();

function comparable(name: string): string {
  return plainName(singularOf(name));
}
