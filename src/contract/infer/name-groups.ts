import type { PathGroup } from './path-groups.ts';

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
