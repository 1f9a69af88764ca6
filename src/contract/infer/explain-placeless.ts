import { successSchema } from './infer-list.ts';
import type { Operation } from '../model.ts';
import { collectionPathOf, pathKey } from './path-groups.ts';

/** What is known of the rest of the contract. */
export interface Surroundings {
  readonly operations: readonly Operation[];
  /** Whether a person said that it keeps no state. */
  readonly refused: boolean;
}

/**
 * Why an operation belongs to no resource: a clause that begins with a small letter, and ends with
 * a full stop.
 */
export function explainPlaceless(
  operation: Operation,
  { operations, refused }: Surroundings,
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
  if (isDeed)
    return 'it does something to a record, but neither answers that record nor names a state of it.';
  if (schema === undefined)
    return 'its success has no JSON body with a schema, so there is no record to keep.';
  if (!onCollection.some((other) => other.method === 'GET'))
    return `no operation lists or reads what it makes under ${collection}.`;
  if (
    operation.method === 'GET' &&
    onCollection.length === 1 &&
    schema.flatten().types.includes('object')
  )
    return 'it answers one object that no operation changes.';
  return 'its answer is not an array of records, or the records have no field that identifies them.';
}

function isBelowItem(path: string): boolean {
  return /\}\/[^{}/]+$/.test(path);
}
