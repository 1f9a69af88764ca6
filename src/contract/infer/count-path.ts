import type { Contract, Operation, Resource, Schema } from '../model.ts';
import { successResponses } from '../select-response.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { plainPath } from './conventions/path-styles.ts';

/**
 * The operation that answers the number of records of a list, below its path: `/things/$count`
 * (OData 4.01, Part 2, section 4.8), `/things/count`, `/things_count`; undefined if there is none.
 */
export function countPath(
  operations: readonly Operation[],
  { path }: Operation,
): Operation | undefined {
  return operations.find((one) => countedPath(one) === plainPath(path));
}

/** The resource whose records an operation counts; undefined if it counts none. */
export function countedBy(
  contract: Pick<Contract, 'resources'>,
  operation: Operation,
): Resource | undefined {
  const counted = countedPath(operation);
  if (counted === undefined) return undefined;
  return contract.resources.find(
    ({ operations: { list } }) => list !== undefined && plainPath(list.path) === counted,
  );
}

/** The path of the list whose records an operation counts; undefined if it counts none. */
function countedPath(operation: Operation): string | undefined {
  const [, path] = /^(.*)(?:\/\$?|[_-])count$/.exec(plainPath(operation.path)) ?? [];
  const isCount = operation.method === 'GET' && numberAt(operation) !== undefined;
  return isCount ? path : undefined;
}

/** Where an answer is a number, or has one as its only member: `/count`; undefined if neither. */
export function numberAt(operation: Operation): Pointer | undefined {
  const isNumber = (one: Schema | undefined): boolean => one?.flatten().types.join() === 'integer';
  const answers = successResponses(operation).flatMap(({ content }) => content);
  if (answers.some(({ schema }) => isNumber(schema))) return '';
  const schema = successSchema(operation);
  const { properties } = schema?.flatten() ?? {};
  const [[name, place] = [], ...others] = [...(properties ?? [])];
  const isOnly = name !== undefined && place !== undefined && others.length === 0;
  return isOnly && schema?.flatten(place).types.join() === 'integer'
    ? joinPointer('', name)
    : undefined;
}
