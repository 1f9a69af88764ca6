import { changedOperations } from '../../../check/choose/changed-operations.ts';
import type { Changed } from '../../../check/settings.ts';
import type { Contract } from '../../../contract/model.ts';
import { contractAtRef } from './contract-at-ref.ts';

/** What changed in a contract since a commit; everything, where the document was not there then. */
export async function readChanged(contract: Contract, ref: string): Promise<Changed> {
  const before = await contractAtRef(contract, ref);
  return {
    since: ref,
    operations:
      before === undefined
        ? contract.operations.map(({ id }) => id)
        : changedOperations(before, contract),
  };
}
