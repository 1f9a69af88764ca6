import { remember } from '../../remember.ts';
import type { Method, Operation } from '../model.ts';
import type { ResourceAction } from '../model/resource.ts';
import {
  pathConventions,
  plainPath,
  collectionPathOf,
  pathKey,
} from './conventions/path-styles.ts';
import { readVerbs, type VerbOperation } from './conventions/verb-styles.ts';
import { inferList } from './infer-list.ts';
import { singularOf } from './infer-names.ts';

/**
 * The operations on a collection's path, on its items' path, and on the paths directly below an
 * item, grouped only by path.
 */
export interface PathGroup {
  /** The collection's path with every parameter as `{}`, for comparison. */
  readonly key: string;
  /** The collection's path in its plain form: `/owners/{ownerId}/things`. */
  readonly collectionPath: string;
  readonly collection: readonly Operation[];
  readonly itemPath?: string | undefined;
  readonly items: readonly Operation[];
  /** How the paths of its operations are interpreted. */
  readonly paths: OperationPaths;
}

/** How the path of one operation is interpreted. */
export interface OperationPath {
  /** In its plain form, and without a verb: `/things/{id}` of `/things/get/{id}.json`. */
  readonly path: string;
  /** The method that an ordinary path would have: DELETE for `POST /things/{id}/delete`. */
  readonly method: Method;
  /** The path of its collection; the same as `path` for the collection itself. */
  readonly collectionPath: string;
  readonly conventions: readonly string[];
}

/** The methods of each action on ordinary paths. */
const methodOfAction: Readonly<Record<ResourceAction, Method>> = {
  list: 'GET',
  create: 'POST',
  read: 'GET',
  replace: 'PUT',
  update: 'PATCH',
  delete: 'DELETE',
};

/** Interprets the paths of a contract's operations: without style, suffix and verb. */
export class OperationPaths {
  readonly #verbs: ReadonlyMap<Operation, VerbOperation>;
  readonly #lists: ReadonlySet<string>;
  readonly #plurals: ReadonlyMap<string, string>;
  readonly #read = new Map<Operation, OperationPath>();

  constructor(operations: readonly Operation[]) {
    this.#verbs = readVerbs(operations);
    this.#lists = listsBelowParameters(operations);
    this.#plurals = pluralsOf(operations);
  }

  /** How the path of an operation is interpreted. */
  of(operation: Operation): OperationPath {
    return remember(this.#read, operation, () => this.#readPath(operation));
  }

  #readPath(operation: Operation): OperationPath {
    const verb = this.#verbs.get(operation);
    const path = verb?.path ?? plainPath(operation.path);
    const isList = this.#lists.has(pathKey(path));
    const plural = this.#plurals.get(pathKey(path));
    return {
      path,
      method: verb === undefined ? operation.method : methodOfAction[verb.action],
      collectionPath: plural ?? (isList ? path : collectionPathOf(path)),
      conventions: [
        ...pathConventions(operation.path),
        ...(verb === undefined ? [] : [verb.convention]),
        ...(isList ? ['path.list-below-parameter'] : []),
        ...(plural === undefined ? [] : ['path.singular-item']),
      ],
    };
  }
}

/**
 * Paths that end in a parameter and list what is below it: `/variables/{environment}` beside
 * `/variables/{environment}/{name}`.
 */
function listsBelowParameters(operations: readonly Operation[]): ReadonlySet<string> {
  const keys = new Set(operations.map(({ path }) => pathKey(path)));
  const lists = operations.filter(({ method, path }) => {
    const key = pathKey(path);
    return method === 'GET' && key.endsWith('/{}') && keys.has(`${key}/{}`);
  });
  return new Set(
    lists
      .filter((operation) => inferList(operation) !== undefined)
      .map(({ path }) => pathKey(path)),
  );
}

/**
 * The collections of items under the singular of their name: `/silence/{id}` belongs to `/silences`
 * if only that path shows or takes several. By the key of the item's path.
 */
function pluralsOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const paths = new Map(operations.map(({ path }) => [pathKey(path), plainPath(path)]));
  const singular = (key: string): string =>
    key.replace(/[^/]+$/, (word) => `(${singularOf(word)})`);
  const collections = [...paths.keys()].filter(
    (key) => !key.endsWith('}') && !paths.has(`${key}/{}`),
  );
  const bySingular = Map.groupBy(collections, singular);
  return new Map(
    [...paths.keys()].flatMap((key) => {
      const own = key.endsWith('/{}') ? key.slice(0, -3) : undefined;
      if (own === undefined || own === '' || own.endsWith('}') || paths.has(own)) return [];
      const [plural, ...others] = bySingular.get(singular(own)) ?? [];
      const path = plural === undefined || others.length > 0 ? undefined : paths.get(plural);
      return path === undefined ? [] : [[key, path] as const];
    }),
  );
}

/**
 * Groups operations by collection, in the order of the contract. Reads mostly methods and paths.
 */
export function groupByCollection(
  operations: readonly Operation[],
  paths: OperationPaths = new OperationPaths(operations),
): ReadonlyMap<string, PathGroup> {
  const byKey = Map.groupBy(operations, (operation) => pathKey(paths.of(operation).collectionPath));
  const groups = [...byKey].map(([key, members]) => makeGroup(key, members, paths));
  const named = itemsOnTheWay(operations);
  return new Map(groups.map((group) => [group.key, withItemsBelow(group, named)]));
}

/** The paths of records that only longer paths lead through, by those of their collections. */
function itemsOnTheWay(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const items = operations.flatMap(({ path }) => {
    const segments = plainPath(path).split('/');
    return segments.slice(0, -1).flatMap((segment, at) => {
      const item = segments.slice(0, at + 1).join('/');
      // A name of several parts, `/vouchers/{year}/{number}`, is no record on the way.
      const isWhole = segment.startsWith('{') && segments[at + 1]?.startsWith('{') !== true;
      return isWhole ? [[pathKey(collectionPathOf(item)), item] as const] : [];
    });
  });
  const own = new Set(operations.map(({ path }) => pathKey(path)));
  return new Map(items.filter(([, item]) => !own.has(pathKey(item))));
}

/** A group whose records are made, with the path of its items if paths below them have it. */
function withItemsBelow(group: PathGroup, named: ReadonlyMap<string, string>): PathGroup {
  const { key, collection, itemPath } = group;
  const isMade = itemPath === undefined && collection.some(({ method }) => method === 'POST');
  return isMade ? { ...group, itemPath: named.get(key) } : group;
}

function makeGroup(key: string, members: readonly Operation[], paths: OperationPaths): PathGroup {
  const isOnCollection = (operation: Operation): boolean =>
    pathKey(paths.of(operation).path) === key;
  const collection = members.filter(isOnCollection);
  const items = members.filter((operation) => !isOnCollection(operation));
  const itemPath = items[0] && paths.of(items[0]).path;
  return {
    key,
    collectionPath:
      collection[0] === undefined
        ? collectionPathOf(itemPath ?? key)
        : paths.of(collection[0]).path,
    collection,
    itemPath,
    items,
    paths,
  };
}

/**
 * A name for each group, by its key: the words of its path, with the names of parameters if the
 * words are not unique.
 */
export function nameGroups(groups: readonly PathGroup[]): ReadonlyMap<string, string> {
  const byWords = Map.groupBy(groups, ({ collectionPath }) => wordsOf(collectionPath));
  return new Map(
    groups.map((group) => {
      const words = wordsOf(group.collectionPath);
      const isAlone = (byWords.get(words)?.length ?? 0) < 2;
      return [
        group.key,
        words !== '' && (isAlone || !group.key.includes('{'))
          ? words
          : segmentsOf(group.collectionPath).join('.'),
      ];
    }),
  );
}

/** `/owners/{ownerId}/things` is `owners.things`. */
function wordsOf(path: string): string {
  return segmentsOf(path)
    .filter((segment) => !segment.startsWith('{'))
    .join('.');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean);
}
