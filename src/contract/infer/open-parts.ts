import type { Contract, Operation, Resource } from '../model.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { pathKey } from './conventions/path-styles.ts';
import { describesSame } from './record-fields.ts';

/** Parts of a record without identifiers, which one operation adds to and another one lists. */
export interface OpenParts {
  readonly add: Operation;
  readonly list: Operation;
}

type Document = Pick<Contract, 'operations' | 'resources' | 'inference'>;

/** The parts that an operation adds to or lists, if it belongs to no resource. */
export function openPartsAt({ path }: Operation, contract: Document): OpenParts | undefined {
  const at = contract.operations.filter((one) => one.path === path);
  const [add, list] = ['POST', 'GET'].map((method) => at.find((one) => one.method === method));
  if (add === undefined || list === undefined || at.length > 2) return undefined;
  if (at.some((one) => contract.inference.placementOf(one) !== undefined)) return undefined;
  return addsToList(add, list) ? { add, list } : undefined;
}

/** The parts directly below the records of a resource. */
export function openPartsBelow({ collection }: Resource, contract: Document): OpenParts[] {
  const items = contract.resources.flatMap(({ itemPath, collection: own }) =>
    itemPath !== undefined && own === collection ? [pathKey(itemPath)] : [],
  );
  return contract.operations
    .filter(({ method, path }) => method === 'POST' && items.includes(parentOf(path)))
    .flatMap((operation) => openPartsAt(operation, contract) ?? []);
}

/** The key of a path without its last word. */
function parentOf(path: string): string {
  return pathKey(path.slice(0, path.lastIndexOf('/')));
}

/** Whether a list of objects, without an envelope, has what an operation answers that it added. */
function addsToList(add: Operation, list: Operation): boolean {
  const [added, listed] = [successSchema(add), successSchema(list)];
  const flat = listed?.flatten();
  const items = flat?.items;
  if (added === undefined || listed === undefined || typeof items?.node !== 'object') return false;
  const item = listed.part(items);
  return item.flatten().properties.size > 0 && describesSame(item, added);
}
