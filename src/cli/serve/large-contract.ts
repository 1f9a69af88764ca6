import type { Contract } from '../../contract/model.ts';

const manyOperations = 200;

/**
 * Whether a contract is so large that its banner should not be what all of it is read for: each
 * part is ready when it is first asked for.
 */
export function isLarge({ operations }: Pick<Contract, 'operations'>): boolean {
  return operations.length > manyOperations;
}
