import type { Contract } from '../../contract/model.ts';
import { Fingerprints } from './fingerprint.ts';

/**
 * The ids of the operations of a contract that an earlier version of it has not, or has otherwise;
 * in the order of the contract.
 */
export function changedOperations(before: Contract, after: Contract): string[] {
  const [earlier, later] = [new Fingerprints(), new Fingerprints()];
  const known = new Map(
    before.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return after.operations
    .filter((operation) => {
      const old = known.get(`${operation.method} ${operation.path}`);
      return old === undefined || earlier.of(old) !== later.of(operation);
    })
    .map(({ id }) => id);
}
