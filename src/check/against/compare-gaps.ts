import type { Contract } from '../../contract/model.ts';
import { hash } from '../model/case.ts';
import { nameOperation } from '../model/operation-name.ts';
import type { TargetDifference } from '../model/event.ts';

/**
 * Gaps of the contract that two deployments fill differently: the facts side by side. How often
 * something came is left out.
 */
export function compareGaps(
  contract: Contract,
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): TargetDifference[] {
  return contract.gaps.flatMap(({ id, operation, message }) => {
    const [ours, theirs] = [left.get(id), right.get(id)];
    if (
      ours === undefined ||
      theirs === undefined ||
      withoutCounts(ours) === withoutCounts(theirs) ||
      operation === undefined
    )
      return [];
    return [
      {
        id: hash(`difference gap ${id}`),
        operation: nameOperation(operation),
        kind: 'gap',
        severity: 'note',
        at: id,
        trying: message,
        count: 1,
        left: ours,
        right: theirs,
      } satisfies TargetDifference,
    ];
  });
}

function withoutCounts(observed: string): string {
  return observed.replaceAll(/ \(\d+ times?\)/g, '');
}
