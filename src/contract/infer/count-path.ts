import type { Contract, Operation, Resource } from '../model.ts';
import { successResponses } from '../select-response.ts';

/**
 * The operation that answers the number of records of a list, below its path: `/things/$count`
 * (OData 4.01, Part 2, section 4.8), `/things/count`; undefined if there is none.
 */
export function countPath(
  operations: readonly Operation[],
  { path }: Operation,
): Operation | undefined {
  return operations.find((one) => counts(one, path));
}

/** The resource whose records an operation counts; undefined if it counts none. */
export function countedBy(
  { resources }: Pick<Contract, 'resources'>,
  operation: Operation,
): Resource | undefined {
  return resources.find(
    ({ operations: { list } }) => list !== undefined && counts(operation, list.path),
  );
}

function counts(operation: Operation, listPath: string): boolean {
  return (
    operation.method === 'GET' &&
    [`${listPath}/$count`, `${listPath}/count`].includes(operation.path) &&
    successResponses(operation).some(({ content }) =>
      content.some(({ schema }) => schema?.flatten().types.join() === 'integer'),
    )
  );
}
