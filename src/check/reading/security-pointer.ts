import type { Contract, Operation } from '../../contract/model.ts';
import { type Pointer, joinPointer, valueAt } from '../../json/pointer.ts';

/**
 * Where the security requirement is declared: at the operation, or at the document (OpenAPI 3.1,
 * section 4.8.10).
 */
export function securityPointer(contract: Contract, operation: Operation): Pointer {
  const own = joinPointer(operation.pointer, 'security');
  return valueAt(contract.document, own) === undefined ? '/security' : own;
}
