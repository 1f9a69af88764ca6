import type { OperationBrief } from '../../src/server/console/console-api.ts';

/** The operations by their first tag; those without one come last, with a title if others have one. */
export function groupOperations(
  operations: readonly OperationBrief[],
): readonly (readonly [title: string, members: readonly OperationBrief[]])[] {
  const groups = Map.groupBy(operations, ({ tags }) => tags[0] ?? '');
  const untagged = groups.get('');
  const tagged = [...groups].filter(([tag]) => tag !== '');
  if (untagged === undefined) return tagged;
  return [...tagged, [tagged.length === 0 ? '' : 'Without a tag', untagged]];
}
