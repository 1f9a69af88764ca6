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
  return operations.find((one) => countedPath(one) === path);
}

/** The resource whose records an operation counts; undefined if it counts none. */
export function countedBy(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): Resource | undefined {
  const counted = countedPath(operation);
  if (counted === undefined) return undefined;
  return contract.resources.find(({ operations: { list } }) => list?.path === counted);
}

/** The path of the list whose records an operation counts; undefined if it counts none. */
function countedPath(operation: Operation): string | undefined {
  const [, path] = /^(.*)\/\$?count$/.exec(operation.path) ?? [];
  if (operation.method !== 'GET' || path === undefined) return undefined;
  const answersNumber = successResponses(operation).some(({ content }) =>
    content.some(({ schema }) => schema?.flatten().types.join() === 'integer'),
  );
  return answersNumber ? path : undefined;
}
