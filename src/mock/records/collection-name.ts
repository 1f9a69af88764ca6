import type { Resource } from '../../contract/model.ts';
import { decodePercent, encodePercent } from '../../http/target.ts';
import type { CollectionDump, StoredRecord } from '../../store/store.ts';

/** Whether a resource is a view on the records of another. */
export function isView({ name, collection }: Pick<Resource, 'name' | 'collection'>): boolean {
  return name !== collection;
}

/**
 * The name of the collection for the records of a resource under certain parents:
 * `owners.things/17`. A view has no collection of its own: its records are in that of the resource
 * which it shows.
 */
export function collectionName(
  resource: Pick<Resource, 'name' | 'collection' | 'parents'>,
  parents: readonly string[],
): string {
  if (resource.parents.length === 0 || isView(resource)) return resource.collection;
  return [resource.collection, ...parents.map((text) => encodePercent(plainText(text)))].join('/');
}

/** The name of the resource whose records are in a collection. */
export function collectionOwner(collection: string): string {
  return collection.split('/', 1)[0] ?? '';
}

/** The parents whose records are in a collection, outermost first. */
export function collectionParents(collection: string): string[] {
  return collection
    .split('/')
    .slice(1)
    .map((text) => decodePercent(text) ?? text);
}

/** The parents that a path of a collection names, outermost first. */
function parentsIn(path: string, { parents }: Pick<Resource, 'parents'>): string[] {
  const segments = path.split('/').slice(1);
  return parents.map(({ segment }) => decodePercent(segments[segment] ?? '') ?? '');
}

/**
 * The collection that marks another one as filled. No other collection has such a name, because
 * parents in names are percent-encoded.
 */
export function markOf(collection: string): string {
  return `${collection}/ filled`;
}

/** Whether a collection is the mark of another one, and holds no records. */
export function isMark(collection: string): boolean {
  return collection.endsWith('/ filled');
}

/** The record by which a mark says that its collection was filled. */
export const mark: StoredRecord = { id: 'filled', record: {} };

/** All that a mark holds. */
export const markDump: CollectionDump = { records: [mark], greatest: '0' };

/**
 * The resource that a person names, and the collection of its records; no collection where a name
 * alone does not say below which records.
 */
interface NamedCollection {
  readonly resource: Resource;
  readonly collection: string | undefined;
}

/**
 * Finds a resource by its name, or by its path where its records are kept below others:
 * `/owners/17/things`.
 */
export function findCollection(
  key: string,
  resources: readonly Resource[],
): NamedCollection | undefined {
  const named = resources.find(({ name }) => name === key);
  if (named !== undefined)
    return {
      resource: named,
      collection:
        named.parents.length > 0 && !isView(named) ? undefined : collectionName(named, []),
    };
  const resource = key.startsWith('/')
    ? resources.find(({ collectionPath }) => isAt(key, collectionPath))
    : undefined;
  return resource && { resource, collection: collectionName(resource, parentsIn(key, resource)) };
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

/** A path that names a collection, to show how one is written. */
export function exampleCollection({ collectionPath }: Resource): string {
  return collectionPath.replaceAll(/\{[^{}]*\}/g, '1');
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text as collections are named by it: capitals do not count in a UUID (RFC 9562, section 4). */
export function plainText(text: string): string {
  return text.length === 36 && uuid.test(text) ? text.toLowerCase() : text;
}

/**
 * How else a text may be written that names the same: a UUID in small letters, and in capitals;
 * nothing for any other text.
 */
export function otherSpellings(text: string): readonly string[] {
  if (text.length !== 36 || !uuid.test(text)) return [];
  return [text.toLowerCase(), text.toUpperCase()].filter((spelling) => spelling !== text);
}
