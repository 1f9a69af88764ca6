import { defined } from '../../json/defined.ts';
import type { Operation } from '../model.ts';

/**
 * The operations on a collection's path, on its items' path, and on the paths right below an item,
 * told apart by their paths alone.
 */
export interface PathGroup {
  /** The collection's path with every parameter as `{}`: what a path is compared by. */
  readonly key: string;
  /** The collection's path as it is written: `/owners/{ownerId}/things`. */
  readonly collectionPath: string;
  readonly collection: readonly Operation[];
  readonly itemPath?: string;
  readonly items: readonly Operation[];
}

/** A path with the names of its parameters left out: `/owners/{}/things`. */
export function pathKey(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** The name of the parameter that fills the last segment of a path; undefined where none does. */
export function lastParameter(path: string): string | undefined {
  return /\/\{([^{}/]+)\}$/.exec(path)?.[1];
}

/** Parameters that fill a whole segment of a path, with the segment's index, outermost first. */
export function wholeParameters(
  path: string,
): { readonly name: string; readonly segment: number }[] {
  return path
    .split('/')
    .slice(1)
    .flatMap((text, segment) => {
      const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, segment }];
    });
}

/** The last segment of a path that is no parameter: `things`. */
export function lastWord(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}

/** `/things/{thingId}` belongs to `/things`; any other path is a collection of its own. */
export function collectionPathOf(path: string): string {
  return path.replace(/\/\{[^{}/]+\}$/, '') || path;
}

/**
 * Puts operations together by collection, in the order in which the contract names them. Reads
 * nothing but methods and paths.
 */
export function groupByCollection(
  operations: readonly Operation[],
): ReadonlyMap<string, PathGroup> {
  const byKey = Map.groupBy(operations, ({ path }) => pathKey(collectionPathOf(path)));
  return new Map([...byKey].map(([key, members]) => [key, makeGroup(key, members)]));
}

function makeGroup(key: string, members: readonly Operation[]): PathGroup {
  const collection = members.filter(({ path }) => pathKey(path) === key);
  const items = members.filter(({ path }) => pathKey(path) !== key);
  const itemPath = items[0]?.path;
  return {
    key,
    collectionPath: collection[0]?.path ?? collectionPathOf(itemPath ?? key),
    collection,
    ...defined({ itemPath }),
    items,
  };
}

/**
 * A name for each group, by its key: the words of its path, with the names of parameters where
 * words alone are not enough.
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
