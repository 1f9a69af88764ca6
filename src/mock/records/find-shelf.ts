import type { Resource } from '../../contract/model.ts';
import { isView, parentsIn, shelfName } from './shelf-name.ts';

/**
 * The resource that a person names, and the shelf of its records; no shelf where a name alone does
 * not say below which records.
 */
export interface NamedShelf {
  readonly resource: Resource;
  readonly shelf: string | undefined;
}

/**
 * Finds a resource by its name, or by its path where its records are kept below others:
 * `/owners/17/things`.
 */
export function findShelf(key: string, resources: readonly Resource[]): NamedShelf | undefined {
  const named = resources.find(({ name }) => name === key);
  if (named !== undefined)
    return {
      resource: named,
      shelf: named.parents.length > 0 && !isView(named) ? undefined : shelfName(named, []),
    };
  const resource = key.startsWith('/')
    ? resources.find(({ collectionPath }) => isAt(key, collectionPath))
    : undefined;
  return resource && { resource, shelf: shelfName(resource, parentsIn(key, resource)) };
}

function isAt(path: string, template: string): boolean {
  const [segments, own] = [path.split('/'), template.split('/')];
  return (
    own.length === segments.length &&
    own.every((segment, index) =>
      segment.startsWith('{') ? segments[index] !== '' : segment === segments[index],
    )
  );
}

/** A path that names a shelf, to show how one is written. */
export function exampleShelf({ collectionPath }: Resource): string {
  return collectionPath.replaceAll(/\{[^{}]*\}/g, '1');
}
