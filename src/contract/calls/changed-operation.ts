import type { Operation } from '../model.ts';

export function changedOperation(operation: Operation, parts: Partial<Operation>): Operation {
  // Callbacks are read on first access: copying descriptors keeps them lazy.
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(operation), ...Object.getOwnPropertyDescriptors(parts) },
  ) as Operation;
}
