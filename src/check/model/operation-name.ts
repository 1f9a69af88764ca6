import type { Operation } from '../../contract/model.ts';

/** An operation as events and findings name it. */
export interface OperationName {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The part of an operation that names it. */
export function nameOperation({ id, method, path }: Operation): OperationName {
  return { id, method, path };
}
