import { remember } from '../../remember.ts';
import type { FlatSchema, ForeignKey, Resource } from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { lastWord } from './conventions/path-styles.ts';
import { plainName, singularOf } from './infer-names.ts';
import { hasKnownRecords } from './record-fields.ts';

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

/** The records that objects name by an identifier: `category: [{ "id": …, "href": … }]`. */
export function objectKeys(
  { record, identifier }: Pick<Resource, 'record' | 'identifier'>,
  resources: readonly Resource[],
): ForeignKey[] {
  return [...objectMembers(record).properties].flatMap(([name, place]): ForeignKey[] => {
    const flat = record.flatten(place);
    const { items } = flat;
    const many = items !== undefined && flat.types.includes('array');
    const view = many ? record.flatten(items) : flat;
    const target = name === identifier.field ? undefined : namedByObject(name, view, resources);
    if (target === undefined || !hasKnownRecords(target)) return [];
    const by = target.identifier.field;
    return [{ field: `${name}.${by}`, resource: target, by, many }];
  });
}

/** The resources below no other one that are called by a word, in the singular or plural. */
export function calledAs(name: string, resources: readonly Resource[]): readonly Resource[] {
  const words = remember(wordsOf, resources, () =>
    Map.groupBy(
      resources.filter(({ kind, parents }) => kind === 'collection' && parents.length === 0),
      ({ collectionPath }) => comparable(lastWord(collectionPath)),
    ),
  );
  return words.get(comparable(name)) ?? [];
}

/** Each object of each body is looked up, and a contract may have hundreds of resources. */
const wordsOf = new WeakMap<readonly Resource[], ReadonlyMap<string, Resource[]>>();

function comparable(name: string): string {
  return plainName(singularOf(name));
}
