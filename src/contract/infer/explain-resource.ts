import type { Operation, Resource, ResourceAction, ValueOperation } from '../model.ts';
import { looksLike } from '../../words-in.ts';
import { collectionPathOf, pathKey } from './conventions/path-styles.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { operationName } from './infer-names.ts';

const reasons: Readonly<Record<ResourceAction, string>> = {
  list: 'it is a GET on the collection and returns an array of records',
  create: 'it is a POST on the collection, takes a body and returns an object',
  read: "it is a GET on an item's path and returns an object",
  replace: "it is a PUT on an item's path",
  update: "it is a PATCH on an item's path",
  delete: "it is a DELETE on an item's path",
};

/** Says what each operation of a resource does to its records, and why. */
export function explainActions(operations: Resource['operations']): string[] {
  // `Object.entries` loses the type of the keys, which are the actions of a resource.
  return (Object.entries(operations) as [ResourceAction, Operation][]).map(
    ([action, operation]) =>
      `${operationName(operation)} is ${action}: ${reasonFor(action, operation)}.`,
  );
}

function reasonFor(action: ResourceAction, { method, requestBody }: Operation): string {
  if (action === 'update' && method === 'POST')
    return "it is a POST on an item's path and returns the record";
  return action === 'create' && requestBody === undefined
    ? 'it is a POST on the collection, and returns 201 with the record'
    : reasons[action];
}

/** Says which operation makes a record under a name. */
export function explainNaming(
  operation: Operation | undefined,
  operations: Resource['operations'],
): string[] {
  if (operation === undefined) return [];
  const isOnly = operations.create === undefined;
  return [
    `${operationName(operation)} makes a record under the name in its path: ` +
      `${isOnly ? 'nothing else makes one' : 'it documents 201'}.`,
  ];
}

/** Says by which value an operation names a record. */
export function explainValueOperation({
  operation,
  action,
  in: location,
  name,
}: ValueOperation): string {
  return `${operationName(operation)} is ${action}: ${name} in its ${location} names the record.`;
}

/** The known facts about the rest of the contract. */
interface UnplacedContext {
  readonly operations: readonly Operation[];
  /** Whether the configuration says that it keeps no state. */
  readonly refused: boolean;
}

/**
 * Why an operation belongs to no resource: a clause that begins with a small letter and ends with a
 * full stop.
 */
export function explainUnplaced(
  operation: Operation,
  { operations, refused }: UnplacedContext,
): string {
  if (refused) return 'the configuration says that it keeps no state.';
  const collection = collectionPathOf(operation.path);
  const key = pathKey(collection);
  const schema = successSchema(operation);
  const onCollection = operations.filter((other) => pathKey(collectionPathOf(other.path)) === key);
  const isDeed =
    operation.path === collection &&
    isBelowItem(operation.path) &&
    !onCollection.some((other) => other.method === 'GET');
  if (isDeed) return 'it acts on a record, but neither returns it nor names a state of it.';
  if (schema === undefined)
    return 'its success response has no JSON body with a schema, so there is no record to store.';
  if (!onCollection.some((other) => other.method === 'GET'))
    return `no operation lists or reads what it creates under ${collection}.`;
  if (
    operation.method === 'GET' &&
    onCollection.length === 1 &&
    schema.flatten().types.includes('object')
  )
    return 'it returns one object that no operation changes.';
  return 'its response is not an array of records, or they have no identifier field.';
}

const isBelowItem = looksLike(/\}\/[^{}/]+$/);
