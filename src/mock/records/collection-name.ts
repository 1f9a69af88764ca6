import type { Resource } from '../../contract/model.ts';
import { decodePercent, encodePercent } from '../../http/target.ts';
import type { Collection, CollectionDump, StoredRecord } from '../../store/store.ts';

/** Whether a resource is a view on the records of another. */
export function isView({ name, collection }: Pick<Resource, 'name' | 'collection'>): boolean {
  return name !== collection;
}

/**
 * The name of the collection for the records of a resource under certain parents:
 * `owners.things/17`. A view has no separate collection: it uses that of the resource which it
 * shows.
 */
export function collectionName(
  resource: Pick<Resource, 'name' | 'collection' | 'parents'>,
  parents: readonly string[],
): string {
  if (resource.parents.length === 0 || isView(resource)) return resource.collection;
  return [resource.collection, ...parents.map((text) => encodePercent(plainText(text)))].join('/');
}

/**
 * The collection of the parent at an index, of texts outermost first. One that only its parameter
 * names may stand below some of those before it: `/hosts/{host}/routes/{from}/{exchange}`.
 */
export function parentCollection(
  parents: Resource['parents'],
  index: number,
  texts: readonly string[],
): string | undefined {
  const resource = parents[index]?.resource;
  const own = resource?.parents.map((above) =>
    parents.findIndex((parent) => parent.resource === above.resource),
  );
  const isNested = own?.length === index;
  const above = isNested ? texts.slice(0, index) : own?.map((at) => texts[at] ?? '');
  return resource && above && collectionName(resource, above);
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

/** The parents in the path of a collection, outermost first. */
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

/**
 * The collection of the identifiers that a session has deleted, where nothing makes records. No
 * other collection has such a name.
 */
export function deletionsOf(collection: string): string {
  return `${collection}/ deleted`;
}

/** Whether a collection is only the mark of another one. */
export function isMark(collection: string): boolean {
  return collection.endsWith('/ filled');
}

/** The record of a mark, which says that its collection was filled. */
export const mark: StoredRecord = { id: 'filled', record: {} };

/** The content of a mark. */
export const markDump: CollectionDump = { records: [mark], greatest: '0' };

/**
 * Finds a resource by its name, or by a path with parent records: `/owners/17/things`; without a
 * collection if the name does not identify the parent records.
 */
export function findCollection(
  key: string,
  resources: readonly Resource[],
): { readonly resource: Resource; readonly collection: string | undefined } | undefined {
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

export function exampleCollection({ collectionPath }: Resource): string {
  return collectionPath.replaceAll(/\{[^{}]*\}/g, '1');
}

/** Where something is kept that is no record of a resource. */
export interface Kept {
  readonly collection: Collection;
  readonly id: string;
}

/** The place of what is kept by the path of a request. */
export function keptAt(name: string, session: string, target: string): Kept {
  return { collection: { session, name }, id: target.split('?', 1)[0] ?? '' };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The canonical form of a text in collection names: the case of a UUID is ignored (RFC 9562,
 * section 4).
 */
export function plainText(text: string): string {
  return text.length === 36 && uuid.test(text) ? text.toLowerCase() : text;
}

/** Equivalent spellings of a text: a UUID in lower case and in upper case; none for other texts. */
export function otherSpellings(text: string): readonly string[] {
  if (text.length !== 36 || !uuid.test(text)) return [];
  return [text.toLowerCase(), text.toUpperCase()].filter((spelling) => spelling !== text);
}
